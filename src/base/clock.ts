import { setTimeout as delay } from 'node:timers/promises'

/** Time as the engine sees it, so that tests can bring another clock. */
export interface Clock {
  /** Monotonic milliseconds: the only clock that intervals are measured on. */
  monotonic(): number
  /** Milliseconds since 1970 by this machine's wall clock. */
  wall(): number
  /** Resolves once `monotonic()` has reached the instant, at once when it has passed. */
  until(instant: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  async until(instant, signal) {
    for (let left = instant - performance.now(); left > 0; left = instant - performance.now())
      await delay(Math.ceil(left), undefined, signal === undefined ? {} : { signal })
  },
}

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
