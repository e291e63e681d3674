import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'

/** The time that each turn of the event loop takes, by this clock and at least by a watch. */
const turnMs = 10
const leastMs = 2

/**
 * A clock that goes on with the event loop: a busy machine delays the loop, with both sides of a connection in this process,
 * and the clock waits for them.
 */
export function createLoopClock(): Clock {
  let now = 0
  const waiting = new Set<{ readonly instant: number; resolve(): void }>()
  const run = async () => {
    while (waiting.size > 0) {
      await wait(leastMs)
      // The sockets are read before the time is over.
      await turn()
      now += turnMs
      for (const one of [...waiting]) if (one.instant <= now) one.resolve()
    }
  }
  return {
    monotonic: () => now,
    wall: systemClock.wall,
    until(instant, signal) {
      if (instant <= now) return Promise.resolve()
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const one = {
        instant,
        resolve: () => {
          waiting.delete(one)
          resolve()
        },
      }
      signal?.addEventListener('abort', () => {
        waiting.delete(one)
        reject(signal.reason)
      })
      waiting.add(one)
      if (waiting.size === 1) void run()
      return promise
    },
  }
}
