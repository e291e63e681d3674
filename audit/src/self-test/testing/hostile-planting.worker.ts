import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMemory } from '../../threads/orders.ts'
import { plain } from '../encodings.ts'
import type { Injector } from '../injector.ts'
import { loadInjectors } from '../injectors.ts'
import { plantInThread } from '../plant-in-thread.ts'

/** An injector for files of one name, which never returns or ends its thread. */
const hostile = (name: string, inject: () => never): Injector => ({
  format: name,
  by: 'name',
  recognises: (file) => file === name,
  slots: [{ slot: 'contents', encodings: [plain] }],
  inject,
})

const defects: readonly Injector[] = [
  hostile('loop.bin', () => {
    for (;;);
  }),
  hostile('throw.bin', () => {
    throw new TypeError('a defect')
  }),
]

if (parentPort !== null)
  plantInThread(parentPort, workerData as ThreadMemory, [...defects, ...(await loadInjectors())])
