import { createHash } from 'node:crypto'
import type { Lure, Storm } from './storm.ts'
import { increase, noteBreach } from './tally.ts'

/** Every so many turns of a user is an attempt that must fail. */
export const attackEvery = 10

/** The next of the attempts that must fail. */
export async function attack(storm: Storm): Promise<void> {
  const { target, lures, turns } = storm
  const sessions = invalidSessions(storm)
  const place = Math.floor(turns / attackEvery)
  const joins = target.connector === null ? [] : lures
  const attempts = [
    ...sessions.map(
      ({ name, authorization }) =>
        () =>
          attackRoute(storm, name, authorization),
    ),
    ...joins.map((lure) => () => attackSignaling(storm, lure)),
  ]
  await attempts[place % attempts.length]?.()
}

function invalidSessions({ target }: Storm): readonly { name: string; authorization: string | null }[] {
  const { route, configuration } = target
  if (route === null) return []
  const { expired, signedOut } = configuration.backend?.sessions ?? {}
  return [
    { name: 'no session', authorization: null },
    {
      name: 'a random session',
      authorization: `Bearer ${createHash('sha256').update(`${target.random()}`).digest('base64url')}`,
    },
    ...(expired ? [{ name: 'an expired session', authorization: `Bearer ${expired.token}` }] : []),
    ...(signedOut ? [{ name: 'a signed-out session', authorization: `Bearer ${signedOut.token}` }] : []),
  ]
}

async function attackRoute(
  { target, tally }: Storm,
  name: string,
  authorization: string | null,
): Promise<void> {
  const reply = await target.route?.ask(authorization)
  if (reply?.kind !== 'answer') return
  increase(tally.counts, 'invalid sessions')
  if (target.route?.tokenOf(reply) == null) return
  noteBreach(tally, 'LOAD-02', {
    case: name,
    saw: `a token for ${name}`,
    expected: '401, or any other error (4.2.1)',
    fix: 'Validate the session before anything else answers, whatever the load.',
  })
}

export async function attackSignaling({ target, tally }: Storm, lure: Lure): Promise<void> {
  const { clock, connector } = target
  const begunAt = clock.monotonic()
  if (lure.expiredAt !== null && begunAt < lure.expiredAt) return
  const made = await connector?.attempt({ token: lure.jwt, declaredUser: lure.userId })
  if (made === undefined || made.outcome === 'untestable') return
  if (made.outcome === 'refused') {
    const isDecided = made.undecided !== true && made.unreachable !== true
    if (isDecided) lure.refusedAt ??= clock.monotonic()
    if (isDecided) increase(tally.counts, lure.expiredAt === null ? 'forged tokens' : 'expired tokens')
    return
  }
  await made.socket[Symbol.asyncDispose]()
  if (lure.expiredAt !== null && (lure.refusedAt === null || begunAt < lure.refusedAt)) return
  noteBreach(tally, 'LOAD-03', {
    case: lure.name,
    saw: `${lure.name} accepted`,
    expected: 'a rejection (1.3, 3)',
    fix: 'Verify every token, whatever the load: shed connections with 503 instead.',
  })
}
