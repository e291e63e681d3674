import type { Clock } from '../../../src/base/clock.ts'

/** Milliseconds between two looks at the clock, and the most that each of them counts. */
const stepMs = 40
const mostCountedMs = 50

export interface PromptTime extends Disposable {
  elapsedMs(): number
  /** Resolves once so much has been counted, or the count has ended. */
  until(ms: number): Promise<void>
}

/**
 * Counts the time in which this machine does what is due. On a busy one it passes more slowly than the clock, so that whoever
 * waits for it waits longer, and a backend that shares the machine is not blamed.
 */
export function countPromptTime(clock: Pick<Clock, 'monotonic' | 'until'>): PromptTime {
  const ended = new AbortController()
  let counted = 0
  let stepped = Promise.withResolvers<void>()
  const count = async () => {
    while (!ended.signal.aborted) {
      const began = clock.monotonic()
      await clock.until(began + stepMs, ended.signal).catch(() => undefined)
      counted += Math.min(clock.monotonic() - began, mostCountedMs)
      stepped.resolve()
      stepped = Promise.withResolvers()
    }
  }
  void count()
  return {
    elapsedMs: () => counted,
    async until(ms) {
      while (counted < ms && !ended.signal.aborted) await stepped.promise
    },
    [Symbol.dispose]: () => ended.abort(),
  }
}
