import { Untested } from '../../../src/base/inconclusive.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import { faultOfEvent } from '../../../src/roles/signaling/fault-of-event.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** So many connect at a time. */
const atOnce = 25

/** Lets a user join while many clients hold connections without a credential; only where `limits.idleConnections` asks for it. */
export async function judgeIdleConnections(
  { callingTokens, configuration, signaling }: Parts,
  judge: Judge,
): Promise<void> {
  const { idleConnections } = configuration.limits
  if (idleConnections === undefined)
    return judge.observe('signaling.idleConnections', 'none opened; limits.idleConnections asks for them')
  await using stack = new AsyncDisposableStack()
  let opened = 0
  for (let begun = 0; begun < idleConnections; begun += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, idleConnections - begun) })
    const clients = await Promise.all(some.map(() => signaling.unauthenticated()))
    const held = clients.filter((client) => typeof client !== 'string')
    for (const client of held) stack.use(client)
    opened += held.length
    if (opened === 0 && clients.includes('silent'))
      return judge.untested('no socket without a credential could be opened: signaling stayed silent')
    // Where none is let in, more would only knock.
    if (held.length === 0) break
  }
  const made = await signaling.join(await callingTokens.fresh())
  judge.observe('signaling.idleConnections', `${opened} open, a user ${made.outcome}`)
  const last = made.events.at(-1)
  const isFault = last !== undefined && last.type !== 'timeout' && faultOfEvent(last) !== null
  if (made.outcome === 'refused' && (made.unreachable === true || isFault))
    throw new Untested(
      `signaling ${made.summary} beside ${opened} connections of this address: a limit by address hides how others fare`,
    )
  judge.advisory(made.outcome === 'accepted', {
    case: 'idle connections',
    saw: `no user served beside ${opened} connections without a credential: signaling ${made.summary}`,
    expected: 'an accepted token',
    fix: 'Close connections that send no credential within seconds, and limit how many one address may have.',
    evidence: [made.exchange],
  })
}
