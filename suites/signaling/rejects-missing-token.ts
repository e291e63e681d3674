import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Headers } from '../../src/base/http/headers.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Attempt } from '../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../src/roles/signaling/driver.ts'
import { loopbackHeaders, statedInQuery, statedUser } from './lib/gateway-headers.ts'
import { asKnownUser } from './lib/known-users.ts'
import { type Attack, mustReject, type Rule } from './lib/try-attacks.ts'

const rule: Rule = {
  clause: '4.3',
  fix: 'Require a valid calling token before the socket counts as authenticated.',
}

export default defineCheck({
  id: 'SIG-03',
  role: 'signaling',
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
  async run({ callingTokens, signaling, unknownUser, randomBytes }, judge) {
    const garbage = ['x', 'undefined', 'null', 'true', 'a.b.c', '..', '....', 'test-token']
    const random = { short: randomBytes(16), long: randomBytes(180) }
    const attacks: Omit<Attack, 'userId'>[] = [
      { what: 'no credential', token: null },
      { what: 'an empty credential', token: '' },
      ...garbage.map((token) => ({ what: `"${token}"`, token })),
      { what: '16 random bytes in hex', token: random.short.toString('hex') },
      { what: '180 random bytes in base64url', token: random.long.toString('base64url') },
    ]
    const named = attacks.map((attack): Attack => ({ ...attack, userId: unknownUser() }))
    // A service may accept a guest under a name of its own, which no declared user would match.
    const nameless = attacks.map(
      (attack): Attack => ({ ...attack, what: `${attack.what}, with no userId declared`, userId: undefined }),
    )
    const all = [
      ...named,
      ...(signaling.declaresUser ? nameless : []),
      ...throughGateway(signaling, unknownUser),
    ]
    await judge.sandwich(signaling.control, async () => {
      const silent = awaitedLater(staySilent(signaling))
      const asKnown = await asKnownUser(attacks.slice(0, 3), callingTokens, signaling)
      await mustReject([...all, ...asKnown], signaling, judge, rule)
      const made = await silent
      const hidden = made === null ? null : whyNotWatched(made)
      if (hidden !== null) return judge.untested(hidden)
      judge.must(made?.outcome !== 'accepted', {
        saw: 'a client that sent nothing accepted',
        expected: `a rejection, or silence (${rule.clause})`,
        fix: rule.fix,
        evidence: made === null ? [] : [made.exchange],
      })
    })
  },
})

/** Longer than a service needs to take a silent client for a guest. */
const silentMs = 5000
/** The rest is the connection's own. */
const watchedMs = 4000

/** No credential, and headers that only a gateway may be believed about. */
function throughGateway(signaling: Signaling, unknownUser: () => string): Attack[] {
  const { access } = signaling.configuration
  // An adapter sends what it likes.
  if (access === undefined || !('profile' in access)) return []
  const { host } = new URL(signaling.url)
  const user = unknownUser()
  const without = (what: string, headers: Headers, userId = unknownUser()): Attack => ({
    what: `no credential, with ${what}`,
    token: null,
    userId,
    headers,
  })
  const inQuery = unknownUser()
  return [
    without('the user in headers of a gateway', statedUser(signaling, user), user),
    {
      what: 'no credential, with the user in the query',
      token: null,
      userId: inQuery,
      query: statedInQuery(signaling, inQuery),
    },
    without('a loopback address in headers of a gateway', loopbackHeaders),
    without("signaling's own Origin", [['Origin', `https://${host}`]]),
    ...['http://localhost', 'null'].map((origin) => without(`the Origin ${origin}`, [['Origin', origin]])),
  ]
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
  const { access } = signaling.configuration
  if (access === undefined || !('profile' in access)) return null
  if (access.profile.success.some((sign) => 'quietOpenMs' in sign)) return null
  return await signaling.attempt({
    token: null,
    silent: true,
    deadlineMs: silentMs,
    case: 'a client that sends nothing',
  })
}
