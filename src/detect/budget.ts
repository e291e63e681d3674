import type { Clock } from '../base/clock.ts'

/** Nothing was found out, and no part is at fault: the message is a clause for the reader. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** Keeps a detection small: what would go beyond it throws `GivenUp`. */
export interface Budget {
  attempt(): void
  mint(): void
  /** Counts an attempt that was watched to its end, without an answer that ended it. */
  watched(ms: number): void
  readonly attempts: number
  readonly mints: number
}

export interface Bounds {
  readonly attempts: number
  readonly mints: number
  readonly seconds: number
  /** Seconds of watching without an end, all attempts together: a slow machine takes longer, and gets as far. No limit where absent. */
  readonly watchedSeconds?: number | undefined
}

export const usualBounds: Bounds = { attempts: 400, mints: 150, seconds: 180 }

export function createBudget(bounds: Bounds, clock: Clock, signal?: AbortSignal): Budget {
  const endsAt = clock.monotonic() + bounds.seconds * 1000
  const { watchedSeconds = Number.POSITIVE_INFINITY } = bounds
  let attempts = 0
  let mints = 0
  let watchedMs = 0
  const inTime = () => {
    if (signal?.aborted === true) throw new GivenUp('it was interrupted')
    if (clock.monotonic() > endsAt) throw new GivenUp(`no result within ${bounds.seconds} s`)
    if (watchedMs > watchedSeconds * 1000)
      throw new GivenUp(`no result within ${watchedSeconds} s of watching`)
  }
  return {
    watched(ms) {
      watchedMs += ms
    },
    attempt() {
      inTime()
      if (attempts >= bounds.attempts) throw new GivenUp(`no result within ${bounds.attempts} attempts`)
      attempts += 1
    },
    mint() {
      inTime()
      if (mints >= bounds.mints) throw new GivenUp(`no result with ${bounds.mints} calling tokens`)
      mints += 1
    },
    get attempts() {
      return attempts
    },
    get mints() {
      return mints
    },
  }
}
