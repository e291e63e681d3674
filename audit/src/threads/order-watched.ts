import type { Limits } from '../model/settings.ts'
import { countStuckThreads } from '../stuck-threads.ts'
import type { Answer, Order } from './orders.ts'
import { createWatch, type Overrun, type Spending } from './overrun.ts'
import { countBusyThreads, type Outcome, type ReadingThread } from './reading-thread.ts'

/** Between two looks at what a thread does. */
const lookMs = 50

/**
 * Gives an order, looks at what the thread does meanwhile, and ends that where it goes too far.
 * @param found gets each answer, and a way to end the order
 */
export async function orderWatched(
  thread: ReadingThread,
  order: Order,
  limits: Pick<Limits, 'fileSeconds' | 'fileMemory'>,
  found: (answer: Exclude<Answer, { kind: 'done' }>, end: (over: Overrun) => void) => void,
): Promise<Outcome> {
  const watch = createWatch(limits, spending())
  let isEnded = false
  const end = (over: Overrun) => {
    if (isEnded) return
    isEnded = true
    clearInterval(looks)
    thread.end(over)
  }
  const looks = setInterval(() => {
    const over = watch(thread.pulse.look(), spending())
    if (over !== null) end(over)
  }, lookMs)
  const outcome = await thread.order(order, (answer) => found(answer, end))
  clearInterval(looks)
  return outcome
}

function spending(): Spending {
  return {
    now: performance.now(),
    processorMs: processorMs(),
    residentBytes: process.memoryUsage.rss(),
    busyThreads: countBusyThreads() + countStuckThreads(),
  }
}

/** The time of all threads but this one, which judges meanwhile; of all where Node cannot tell. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  const own = process.threadCpuUsage?.() ?? { user: 0, system: 0 }
  return (user + system - own.user - own.system) / 1000
}
