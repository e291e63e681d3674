import { Worker } from 'node:worker_threads'
import { countThreads, createTurns, freeTurn } from '../model/turns.ts'
import { endThread } from '../stuck-threads.ts'
import type { Kind } from './kind.ts'
import type { Answer, Done, Order, ThreadMemory } from './orders.ts'
import type { Overrun } from './overrun.ts'
import { createPulseMemory, type PulseReader, readPulse } from './pulse-memory.ts'

/** The turns that all threads of this process take. */
const turns = createTurns()

/** Threads of this process that do what they were ordered to. */
let busy = 0

export function countBusyThreads(): number {
  return busy
}

function countOrder(change: 1 | -1): void {
  busy += change
  countThreads(turns, busy)
}

/** Most of what a file leaves behind is small: more room for it would only fill up. */
const youngMegabytes = 12

/** How a thread has answered an order. */
export type Outcome =
  | ({ readonly kind: 'done' } & Done)
  | { readonly kind: 'over'; readonly limit: Overrun }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A thread that reads files. */
export interface ReadingThread {
  readonly pulse: PulseReader
  /** Gives an order that has no answer. */
  tell(order: Order): void
  /** Gives an order, and tells what is found until it is done. */
  order(order: Order, found: (answer: Exclude<Answer, { kind: 'done' }>) => void): Promise<Outcome>
  /** Ends what the thread does; its order has this outcome. */
  end(limit: Overrun): void
  /** Lets the process end while the thread has nothing to do. */
  rest(): void
  close(): Promise<void>
}

export function startReadingThread({ program, heapMegabytes }: Kind): ReadingThread {
  const memory: ThreadMemory = { pulse: createPulseMemory(), turns }
  const resourceLimits = { maxYoungGenerationSizeMb: youngMegabytes, maxOldGenerationSizeMb: heapMegabytes }
  const worker = new Worker(program, { workerData: memory, resourceLimits })
  const { threadId } = worker
  let settle: ((outcome: Outcome) => void) | null = null
  let found: (answer: Exclude<Answer, { kind: 'done' }>) => void = () => {}
  const answer = (outcome: Outcome) => {
    if (settle === null) return
    countOrder(-1)
    settle(outcome)
    settle = null
  }
  worker.on('message', (message: Answer) => {
    if (message.kind === 'done') answer(message)
    else found(message)
  })
  worker.on('error', (error: NodeJS.ErrnoException) => {
    answer(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { kind: 'over', limit: 'memory' }
        : { kind: 'failed', error },
    )
  })
  worker.on('exit', () => answer({ kind: 'failed', error: new Error('a thread of the audit has ended') }))
  const close = async () => {
    await endThread(worker)
    freeTurn(turns, threadId)
  }
  return {
    pulse: readPulse(memory.pulse),
    tell: (order) => worker.postMessage(order),
    order(order, tell) {
      worker.ref()
      found = tell
      countOrder(1)
      return new Promise((resolve) => {
        settle = resolve
        worker.postMessage(order)
      })
    },
    end(limit) {
      const settled = settle
      settle = null
      if (settled === null) return
      void close().then(() => {
        countOrder(-1)
        settled({ kind: 'over', limit })
      })
    },
    rest() {
      found = () => {}
      worker.postMessage({ kind: 'rest' } satisfies Order)
      worker.unref()
    },
    close,
  }
}
