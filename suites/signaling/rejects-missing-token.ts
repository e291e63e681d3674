import { awaitedLater } from '../../src/base/awaited-later.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Attempt } from '../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../src/roles/signaling/driver.ts'
import { profileOf } from '../lib/profile-of.ts'
import { loopbackHeaders, statedInQuery, statedUser } from './lib/gateway-headers.ts'
import { type Credential, declareOthers, rejectCredentials } from './lib/reject-credentials.ts'

const fix = 'Require a valid calling token before the socket counts as authenticated.'

export default defineCheck({
  id: 'SIG-03',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.3', '5.4'],
  basis: 'The calling JWT is the credential of signaling (4.3).',
  title: 'rejects a missing or malformed calling token',
  why: 'The calling token is the only proof of identity: without it, any client could join as any user.',
  how: {
    does: [
      'Sends no credential, an empty one, and text that is not a token, between two controls with fresh tokens.',
      'Declares another userId with each, and none; some declare the userId of a client that has just joined.',
      'Sends no credential beside a user in the query, headers by which gateways state a user or a loopback address, and an Origin: its own, localhost and none.',
      'Opens a socket and sends nothing for five seconds.',
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.'],
  },
  mints: 3,
  needs: ['callingTokens', 'signaling'],
  async run(parts, judge) {
    const { signaling, unknownUser, randomBytes } = parts
    const garbage = ['x', 'undefined', 'null', 'true', 'a.b.c', '..', '....', 'test-token']
    const worthless: Omit<Credential, 'userId'>[] = [
      { name: 'no credential', token: null },
      { name: 'an empty credential', token: '' },
      ...garbage.map((token) => ({ name: `"${token}"`, token })),
      { name: '16 random bytes in hex', token: randomBytes(16).toString('hex') },
      { name: '180 random bytes in base64url', token: randomBytes(180).toString('base64url') },
    ]
    const cases = [
      ...worthless.map((one) => ({ ...one, userId: unknownUser() })),
      ...throughGateway(signaling, unknownUser),
      ...(await declareOthers(worthless, parts, worthless.slice(0, 3))),
    ]
    const silent = awaitedLater(staySilent(signaling))
    await rejectCredentials(signaling, judge, cases, fix, '4.3')
    const made = await silent
    const hidden = made === null ? null : whyNotWatched(made)
    if (hidden !== null) return judge.untested(hidden)
    judge.must(made?.outcome !== 'accepted', {
      saw: 'a client that sent nothing accepted',
      expected: `a rejection, or silence (4.3)`,
      fix,
      evidence: made === null ? [] : [made.exchange],
    })
  },
})

/** Longer than a service needs to take a silent client for a guest. */
const silentMs = 5000
/** The rest is the connection's own. */
const watchedMs = 4000

/** No credential, and headers that only a gateway may be believed about. */
function throughGateway(signaling: Signaling, unknownUser: () => string): Credential[] {
  if (profileOf(signaling.configuration.access) === null) return []
  const user = unknownUser()
  const from = (origin: string) => ({ headers: [['Origin', origin]] as const })
  const places: Readonly<Record<string, Pick<Credential, 'headers' | 'query'>>> = {
    'the user in headers of a gateway': { headers: statedUser(signaling, user) },
    'the user in the query': { query: statedInQuery(signaling, user) },
    'a loopback address in headers of a gateway': { headers: loopbackHeaders },
    "the Origin signaling's own": from(`https://${new URL(signaling.url).host}`),
    'the Origin localhost': from('http://localhost'),
    'the Origin null': from('null'),
  }
  return Object.entries(places).map(([place, sent]) => ({
    name: `no credential, with ${place}`,
    token: null,
    userId: user,
    ...sent,
  }))
}

/** Why the silence of a client shows nothing: it could not connect, or was watched for less than `watchedMs`. */
export function whyNotWatched({ outcome, events, decidedAt, summary }: Attempt): string | null {
  if (outcome === 'accepted') return null
  const opened = events.find(({ type }) => type === 'open')
  if (events.at(-1)?.type !== 'timeout' || opened === undefined) return null
  if (decidedAt - opened.at >= watchedMs) return null
  return `a client that sent nothing was watched for ${Math.floor((decidedAt - opened.at) / 100) / 10} s only: signaling ${summary}`
}

/** Null where an open socket is a success by itself, so that silence says nothing. */
async function staySilent(signaling: Signaling): Promise<Attempt | null> {
  const profile = profileOf(signaling.configuration.access)
  if (profile === null || profile.success.some((sign) => 'quietOpenMs' in sign)) return null
  return await signaling.attempt({
    token: null,
    silent: true,
    deadlineMs: silentMs,
    case: 'a client that sends nothing',
  })
}
