import type { MessagePort } from 'node:worker_threads'
import type { Watch } from '../engine/context.ts'
import { nothingSpent, type Spent } from '../model/settings.ts'
import type { Answer, Order, ThreadMemory } from '../threads/orders.ts'
import { writePulse } from '../threads/pulse-memory.ts'
import type { Injector } from './injector.ts'
import { plantCanaries } from './plant-canaries.ts'

/** Does what the thread of a self-test is ordered to: it may be ended at any time. */
export function plantInThread(
  port: MessagePort,
  { pulse: memory }: Pick<ThreadMemory, 'pulse'>,
  injectors?: readonly Injector[],
): void {
  const tell = (answer: Answer) => port.postMessage(answer)
  port.on('message', async (order: Order) => {
    if (order.kind !== 'plant') return
    const looked = { ...nothingSpent }
    const pulse = writePulse(memory, looked)
    const cells = await plantCanaries(order.files, order.settings, {
      injectors,
      givenUp: order.givenUp,
      begin: pulse.begin,
      visit(bytes) {
        looked.inflated += bytes
        pulse.beat()
      },
      watch: watchBeside(memory, looked),
    })
    tell({ kind: 'cells', cells })
    tell({ kind: 'done', entries: order.files.length, bytes: 0, parts: [] })
  })
}

/** The audit of a copy: what it unpacks counts besides what was looked at before. */
function watchBeside(memory: ThreadMemory['pulse'], looked: Spent): Watch {
  return {
    pulse: (spent) =>
      writePulse(memory, {
        ...nothingSpent,
        get inflated() {
          return looked.inflated + spent.inflated
        },
      }),
  }
}
