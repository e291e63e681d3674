import type { Clock } from '../../base/clock.ts'

/**
 * Acts at a monotonic instant, unless the returned function was called before. What the peer had sent by then is
 * read first: on a busy machine timers run before the sockets, and would overtake a frame that came in time.
 */
export function setDeadline(clock: Clock, instant: number, act: () => void): () => void {
  const cancelled = new AbortController()
  const actAfterReading = () =>
    setImmediate(() => {
      if (!cancelled.signal.aborted) act()
    })
  clock.until(instant, cancelled.signal).then(actAfterReading, () => undefined)
  return () => cancelled.abort()
}
