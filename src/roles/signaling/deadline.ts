import type { Clock } from '../../base/clock.ts'

/**
 * Rings at a monotonic instant, unless the returned function was called before. What the peer had sent by then is
 * read first: on a busy machine timers run before the sockets, and would overtake a frame that came in time.
 */
export function alarm(clock: Clock, instant: number, ring: () => void): () => void {
  const cancelled = new AbortController()
  const ringAfterReading = () =>
    setImmediate(() => {
      if (!cancelled.signal.aborted) ring()
    })
  clock.until(instant, cancelled.signal).then(ringAfterReading, () => undefined)
  return () => cancelled.abort()
}
