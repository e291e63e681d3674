import type { Clock } from '../clock.ts'

/** A clock that is moved on when everything waits, to the earliest instant that is waited for. */
export function steppingClock() {
  let now = 0
  const waiting: { instant: number; wake: () => void }[] = []
  const clock: Clock = {
    monotonic: () => now,
    wall: () => now,
    until: (instant) => new Promise((wake) => void waiting.push({ instant, wake })),
  }
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false
    const ended = work.finally(() => {
      isOver = true
    })
    for (;;) {
      await new Promise((next) => setImmediate(next))
      if (isOver) return await ended
      waiting.sort((one, other) => one.instant - other.instant)
      const next = waiting.shift()
      if (next === undefined) throw new Error('nothing is waited for')
      now = Math.max(now, next.instant)
      next.wake()
    }
  }
  return { clock, settle }
}

/** A clock of which each wait is over at once, or so many milliseconds late. */
export function jumpingClock(lateMs: (wait: number) => number = () => 0) {
  let now = 0
  let waits = 0
  const clock: Clock = {
    monotonic: () => now,
    wall: () => now,
    async until(instant) {
      now = Math.max(now, instant + lateMs(waits))
      waits += 1
    },
  }
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { clock, pass }
}
