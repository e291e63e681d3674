import type { Clock } from './clock.ts'
import { defaultLimits, type Limits } from './limits.ts'

/**
 * Keeps to a limit on the rate: asks again what was refused for coming too soon, and from then on asks one thing at a
 * time. A limit says nothing about what was asked, so that without a retry a burst of ours would hide the verdict.
 */
export type RateLimitRetry = <T>(
  ask: () => Promise<T>,
  waitSeconds: (outcome: T) => number | null,
) => Promise<T>

/** @param limits.patienceSeconds waited in all, over a whole run: a limit that does not end is soon taken for the answer */
export function createRateLimitRetry(
  clock: Clock,
  { patienceSeconds }: Pick<Limits, 'patienceSeconds'> = defaultLimits,
): RateLimitRetry {
  let left = patienceSeconds * 1000
  let last: Promise<unknown> | null = null

  return async (ask, waitSeconds) => {
    if (last === null) {
      const outcome = await ask()
      if (waitSeconds(outcome) === null) return outcome
    }
    const retryUntilServed = async () => {
      for (;;) {
        const outcome = await ask()
        const waitMs = (waitSeconds(outcome) ?? Number.POSITIVE_INFINITY) * 1000
        if (waitMs > left) return outcome
        left -= waitMs
        await clock.until(clock.monotonic() + waitMs)
      }
    }
    if (left <= 0) return await ask()
    const mine = (last ?? Promise.resolve()).then(retryUntilServed)
    last = mine.catch(() => undefined)
    return await mine
  }
}

/** How long a `Retry-After` in seconds asks to wait; a second where it says nothing that can be read. */
export function retryAfterSeconds(value: string | undefined): number {
  const seconds = Number(value ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1
}
