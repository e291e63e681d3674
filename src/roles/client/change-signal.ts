import { firstPollMs, lastPollMs, lateTimerMs } from '../../base/times.ts'
import type { Probe } from './types.ts'

const pollGrowth = 1.2

/** Wakes every wait when something has changed, and ends every wait once the client is lost. */
export function createChangeSignal() {
  let reason: Error | null = null
  let failed = false
  let next = Promise.withResolvers<void>()

  const notify = () => {
    const notified = next
    next = Promise.withResolvers<void>()
    notified.resolve()
  }
  return {
    notify,
    /** From now on every wait rejects with this. The first reason counts. */
    abort(why: Error): void {
      reason ??= why
      notify()
    },
    /** Notes that the client did not do what it was asked for. */
    markFailed(): void {
      failed = true
    },
    /** It was lost, or did not do what it was asked for. */
    hasFailed: () => failed || reason !== null,
    /** Resolves to the first value that the probe gives; null at the deadline, which a machine that stands still puts off. */
    async waitFor<T>(probe: Probe<T>, milliseconds: number): Promise<T | null> {
      let deadline = performance.now() + milliseconds
      for (let pollMs = firstPollMs; ; pollMs = Math.min(lastPollMs, pollMs * pollGrowth)) {
        if (reason !== null) throw reason
        const notified = next.promise
        const found = await probe()
        if (found !== null && found !== undefined && found !== false) return found
        const asleepAt = performance.now()
        const left = deadline - asleepAt
        if (left <= 0) return null
        const restMs = Math.min(left, pollMs)
        await Promise.race([notified, afterMs(restMs)])
        // The client stood still as well, and has yet to do what it is waited for.
        const oversleptMs = performance.now() - asleepAt - restMs
        if (oversleptMs > lateTimerMs) deadline += oversleptMs
      }
    },
  }
}

function afterMs(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
