import type { Clock } from '../../base/clock.ts'
import type { Answer } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { misleadingOffsetSeconds, toleratedOffsetSeconds } from '../../base/times.ts'
import type { Problem } from './problem.ts'

/**
 * A peer whose `Date` header is off from this machine's clock: lifetimes that are read from claims would be wrong.
 * @param issuedAt when a token that came with the answer says that it was issued, in seconds since 1970
 */
export function findClockProblems(
  part: 'mint' | 'backend' | 'signaling',
  answer: Answer,
  clock: Clock,
  issuedAt?: number,
): Problem[] {
  // A stored answer has the date of another day.
  if (headerOf(answer.headers, 'age') !== undefined) return []
  const date = Date.parse(headerOf(answer.headers, 'date') ?? '')
  if (Number.isNaN(date)) return []
  const wallOf = (monotonic: number) => clock.wall() - (clock.monotonic() - monotonic)
  // The header counts whole seconds, and was written at some moment of the exchange: the least offset that explains it.
  const ahead = date - wallOf(answer.receivedAt)
  const behind = wallOf(answer.sentAt) - (date + 1000)
  const seconds = Math.round(Math.max(ahead, behind) / 1000)
  if (seconds <= toleratedOffsetSeconds) return []
  // The clock of something in between gives the header, but no token.
  const isOfTokens = issuedAt === undefined || Math.abs(issuedAt - date / 1000) <= misleadingOffsetSeconds
  const message = `the clock of the ${part} (${part}.url) is ${seconds} s ${ahead > behind ? 'ahead of' : 'behind'} this machine's; expected at most ${toleratedOffsetSeconds} s: correct the wrong clock`
  return [{ part: 'clock', kind: 'clock', message, fatal: seconds > misleadingOffsetSeconds && isOfTokens }]
}
