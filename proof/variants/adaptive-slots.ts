import { monitorEventLoopDelay } from 'node:perf_hooks'

/** A process that answers later than this lets deadlines of real exchanges pass. */
const lateMs = 1000

/** One case more after a case in which the process answered in time, one less after another. */
export function adaptSlots(slots: number, lagMs: number, most: number): number {
  return lagMs > lateMs ? Math.max(1, slots - 1) : Math.min(most, slots + 1)
}

export interface AdaptiveSlots {
  run<T>(task: () => Promise<T>): Promise<T>
}

/** Runs tasks of this process beside each other, fewer of them the later it answers. */
export function createAdaptiveSlots({
  first,
  most,
}: {
  readonly first: number
  readonly most: number
}): AdaptiveSlots {
  const delay = monitorEventLoopDelay()
  delay.enable()
  const waiting: (() => void)[] = []
  let slots = first
  let running = 0
  const fill = () => {
    while (running < slots) {
      const next = waiting.shift()
      if (next === undefined) return
      running += 1
      next()
    }
  }
  return {
    async run(task) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        fill()
      })
      try {
        return await task()
      } finally {
        running -= 1
        slots = adaptSlots(slots, delay.max / 1e6, most)
        delay.reset()
        fill()
      }
    },
  }
}
