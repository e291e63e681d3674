import { generousTimeoutMs, lateRejectionMs, togetherMs, usualQuietMs } from '../../base/times.ts'
import { damageSignature } from '../../base/tokens/damage-token.ts'
import { tellingWait } from '../../base/told-wait.ts'
import type { Attempt } from '../../roles/signaling/attempt.ts'
import type { Signaling } from '../../roles/signaling/driver.ts'
import { isEnd } from '../../roles/signaling/event-log.ts'
import type { SignalingProfile } from '../../roles/signaling/profile.ts'
import type { JoinToken, Probing } from './probe.ts'
import type { Problem } from './problem.ts'

/** Times the measured time: a loaded service is slower. */
const timesMeasured = 3

/** Finds a `timeoutMs` within which signaling accepts no ordinary token, although it does so later. */
export async function findShortTimeout(
  { timeoutMs }: SignalingProfile,
  driver: Signaling,
  { jwt, userId }: JoinToken,
): Promise<Problem[]> {
  const deadlineMs = Math.max(generousTimeoutMs, timesMeasured * timeoutMs)
  const made = await driver.attempt({ token: jwt, declaredUser: userId, deadlineMs })
  const measuredMs = made.decidedAt - made.startedAt
  if (made.outcome !== 'accepted' || measuredMs <= timeoutMs) return []
  return problem(
    `signaling accepted an ordinary token after ${Math.round(measuredMs)} ms; signaling.profile.timeoutMs is ${timeoutMs}: write timeoutMs: ${roundUp(measuredMs)} or more`,
  )
}

/** Finds a `quietOpenMs` that is over before signaling rejects: every rejected token would be taken for an accepted one. */
export async function findShortQuiet(
  { success, timeoutMs }: SignalingProfile,
  driver: Signaling,
  { jwt, userId }: JoinToken,
  tellWait: Probing['tellWait'],
): Promise<Problem[]> {
  const quiet = success.find((sign) => 'quietOpenMs' in sign)
  // A service that rejects only after a time that is usual elsewhere is judged for it.
  if (quiet === undefined || quiet.quietOpenMs >= usualQuietMs) return []
  const damaged = { token: damageSignature(jwt), declaredUser: userId, case: 'a damaged token' }
  const ordinary = { token: jwt, declaredUser: userId }
  await using stack = new AsyncDisposableStack()
  const held = (made: Attempt) => (made.outcome === 'accepted' ? stack.use(made.socket) : null)
  const made = await driver.hold(damaged)
  const socket = held(made)
  if (socket === null) return []
  const witness = held(await driver.hold(ordinary))
  if (witness === null) return []
  const end = await tellingWait(
    () => socket.next((event) => isEnd(event) || driver.signOf(event) === 'failure', lateRejectionMs),
    { what: 'waiting for signaling to reject a damaged token', longestMs: lateRejectionMs, tell: tellWait },
  )
  if (end === null || (await witness.next(isEnd, togetherMs)) !== null) return []
  const measuredMs = end.at - made.startedAt
  const leastMs = roundUp(measuredMs)
  const longer = leastMs < timeoutMs ? '' : `, and timeoutMs: ${timesMeasured * leastMs}`
  return problem(
    `signaling rejected a damaged token after ${Math.round(measuredMs)} ms; signaling.profile.success accepts it after ${quiet.quietOpenMs} ms without a failure: write quietOpenMs: ${leastMs} or more${longer}`,
  )
}

function problem(message: string): Problem[] {
  return [{ part: 'signaling', kind: 'url', message, fatal: true }]
}

function roundUp(measuredMs: number): number {
  return Math.ceil((timesMeasured * measuredMs) / 100) * 100
}
