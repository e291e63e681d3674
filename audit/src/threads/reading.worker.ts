import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMemory } from './orders.ts'
import { readFiles } from './read-files.ts'

if (parentPort !== null) readFiles(parentPort, workerData as ThreadMemory)
