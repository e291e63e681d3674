import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMemory } from '../threads/orders.ts'
import { plantInThread } from './plant-in-thread.ts'

if (parentPort !== null) plantInThread(parentPort, workerData as ThreadMemory)
