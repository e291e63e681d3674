import type { Probe } from './types.ts'

/** Wakes whoever waits for something to have happened, and ends every wait once the client is lost. */
export interface Bell {
  ring(): void
  /** From now on every wait rejects with this. The first reason counts. */
  lose(reason: Error): void
  /** Notes that the client did not do what it was asked for. */
  fail(): void
  /** It was lost, or did not do what it was asked for. */
  hasFailed(): boolean
  /** Why the client is lost; null while it is not. */
  lost(): Error | null
  /** What the probe gives once it gives anything; null at the deadline. */
  wait<T>(probe: Probe<T>, milliseconds: number): Promise<T | null>
}

/** What no event announces, such as the state that a client shows, is asked for this often at first, and then less. */
const firstPollMs = 50
const lastPollMs = 250
const pollGrowth = 1.2

export function createBell(): Bell {
  let reason: Error | null = null
  let failed = false
  let next = Promise.withResolvers<void>()

  const ring = () => {
    const rung = next
    next = Promise.withResolvers<void>()
    rung.resolve()
  }
  return {
    ring,
    lose(why) {
      reason ??= why
      ring()
    },
    fail() {
      failed = true
    },
    hasFailed: () => failed || reason !== null,
    lost: () => reason,
    async wait<T>(probe: Probe<T>, milliseconds: number): Promise<T | null> {
      const deadline = performance.now() + milliseconds
      for (let pollMs = firstPollMs; ; pollMs = Math.min(lastPollMs, pollMs * pollGrowth)) {
        if (reason !== null) throw reason
        const rung = next.promise
        const found = await probe()
        if (found !== null && found !== undefined && found !== false) return found
        const left = deadline - performance.now()
        if (left <= 0) return null
        await Promise.race([rung, afterMs(Math.min(left, pollMs))])
      }
    },
  }
}

function afterMs(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
