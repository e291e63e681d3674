import type { Clock } from '../../base/clock.ts'

/** Acts at the instant, after reading what has come by then: timers of a busy machine overtake sockets. */
export function setDeadline(clock: Clock, instant: number, act: () => void): () => void {
  const cancelled = new AbortController()
  const actAfterReading = () =>
    setImmediate(() => {
      if (!cancelled.signal.aborted) act()
    })
  clock.until(instant, cancelled.signal).then(actAfterReading, () => undefined)
  return () => cancelled.abort()
}
