import { workerData } from 'node:worker_threads'
import xz from 'xz-decompress'
import type { Decompressed } from './compressed-file.ts'
import type { XzTask } from './xz-thread.ts'

const { streams, bound, done, port } = workerData as XzTask
const chunks: Uint8Array[] = []
let size = 0
let end: Decompressed['end'] = 'whole'
try {
  for (const stream of streams) {
    for await (const chunk of new xz.XzReadableStream(new Blob([Uint8Array.from(stream)]).stream())) {
      chunks.push(chunk)
      size += chunk.length
      if (size > bound) break
    }
    if (size > bound) break
  }
  if (size > bound) end = 'limit'
} catch {
  // The library throws whatever its decoder says: the data is corrupt.
  end = 'corrupt'
}
port.postMessage({ bytes: end === 'limit' ? new Uint8Array() : Buffer.concat(chunks), end })
Atomics.store(done, 0, 1)
Atomics.notify(done, 0)
