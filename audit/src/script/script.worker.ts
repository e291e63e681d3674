import { parentPort, workerData } from 'node:worker_threads'
import { foldText } from './fold-text.ts'
import { mapSources } from './map-sources.ts'
import type { Order } from './reader.ts'

// Types of sources are stripped by a part of Node that warns of itself.
process.removeAllListeners('warning')

parentPort?.on('message', ({ read, text }: Order) =>
  parentPort?.postMessage(read === 'map' ? mapSources(text) : foldText(text, workerData as string)),
)
