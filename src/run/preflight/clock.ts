import type { Clock } from '../../base/clock.ts'
import type { Answer } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import type { Problem } from './problem.ts'

const toleratedSeconds = 5

/** A peer whose `Date` header is off from this machine's clock: lifetimes that are read from claims would be wrong. */
export function findClockProblems(part: 'mint' | 'backend', answer: Answer, clock: Clock): Problem[] {
  const date = Date.parse(headerOf(answer.headers, 'date') ?? '')
  if (Number.isNaN(date)) return []
  const wallOf = (monotonic: number) => clock.wall() - (clock.monotonic() - monotonic)
  // The header counts whole seconds, and was written at some moment of the exchange: the least offset that explains it.
  const ahead = date - wallOf(answer.receivedAt)
  const behind = wallOf(answer.sentAt) - (date + 1000)
  const seconds = Math.round(Math.max(ahead, behind) / 1000)
  if (seconds <= toleratedSeconds) return []
  const message = `the clock of the ${part} is ${seconds} s ${ahead > behind ? 'ahead of' : 'behind'} this machine's; expected at most ${toleratedSeconds} s: correct the wrong clock`
  return [{ part: 'clock', kind: 'clock', message, fatal: false }]
}
