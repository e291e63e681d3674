import { SignJWT } from 'jose'
import { defineCheck } from '../../src/requirement/define.ts'
import { findEnded } from '../../src/roles/backend/driver.ts'
import { withShortLivedTokens } from '../backend/lib/with-short-lived-tokens.ts'
import { profileOf } from '../lib/profile-of.ts'
import { type Credential, declareOthers, rejectCredentials } from './lib/reject-credentials.ts'

const fix = 'Accept calling tokens only: verify the issuer and the audience.'

export default defineCheck({
  id: 'SIG-04',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['5.1', '5.2'],
  basis: 'Only the calling JWT goes to signaling; the other credentials are for other parts (5.1, 5.2).',
  title: 'rejects sessions, API keys and login JWTs as credentials',
  why: 'Each credential has one audience. If signaling accepted a session or a server key, its theft would be worth more.',
  how: {
    does: [
      "Between two controls, sends the session of the customer's app, a login JWT as a customer would issue it, and API keys: the configured one (never in a URL, which logs would keep) and an unknown one in the same format; the same with the userId of a client that has just joined, and with no userId.",
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.'],
    untested: ['A session that gets no token from the backend afterwards: it may have ended before.'],
  },
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  drives: ['signaling', 'backend'],
  async run(parts, judge) {
    const { signaling, unknownUser, available, optional, randomBytes, secrets } = parts
    const backend = optional('backend')
    const mint = available('mint')
    const keepsKeyBack = profileOf(signaling.configuration.access)?.carriage.in === 'query'
    const user = unknownUser()
    const unknownKey = `ac_live_${randomBytes(30).toString('base64url').replaceAll(/[-_]/g, 'x')}`
    const login = secrets.register('session', await signCustomerLogin(user, randomBytes(32)))
    const own: Credential[] = [
      { name: "a customer's login JWT", token: login, userId: user },
      { name: 'an unknown API key', token: unknownKey, userId: unknownUser() },
    ]
    const session = backend === undefined ? undefined : await backend.exactSession(backend.alice)
    if (session !== undefined)
      own.push({ name: "a session of the customer's app", token: session.token, userId: session.userId })
    if (mint !== undefined && !keepsKeyBack)
      own.push({ name: 'the API key of the mint', token: mint.apiKey, userId: unknownUser() })
    judge.observe('configuredKeyWasOffered', mint !== undefined && !keepsKeyBack)
    const cases = [...own, ...(await declareOthers(own, parts))]
    await rejectCredentials(signaling, judge, cases, fix, '5.1')
    if (backend === undefined || session === undefined) return
    const ended = await withShortLivedTokens(parts, () => findEnded(backend, [session]))
    if (ended.length > 0)
      judge.untested('the session got no token afterwards: it may have ended before it was offered')
  },
})

/** A login JWT of a customer: another issuer, another audience, a secret that signaling cannot know. */
function signCustomerLogin(userId: string, secret: Uint8Array): Promise<string> {
  return new SignJWT({ sub: userId, userId, scope: 'openid profile' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('https://login.customer.example')
    .setAudience('https://api.customer.example')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(secret)
}
