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
