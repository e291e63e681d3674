import { extname, join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Decompressed } from './compressed-file.ts'

const worker = join(import.meta.dirname, `xz.worker${extname(import.meta.filename)}`)

/** For the worker: what to read, and where to say that it is done. */
export interface XzTask {
  readonly streams: readonly Uint8Array[]
  readonly bound: number
  readonly done: Int32Array
  readonly port: import('node:worker_threads').MessagePort
}

/** Milliseconds that a file may take, and a kibibyte of it. */
const patience = 20_000
const patienceEach = 1

/**
 * The contents of an xz file, at most `bound` bytes. Its library works asynchronously, so that it runs in a thread of
 * its own for which this one waits: a rare format should not make the whole audit asynchronous.
 */
export function expandXz(bytes: Buffer, bound: number): Decompressed {
  const { port1, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(4))
  const task: XzTask = { streams: streamsOf(bytes), bound, done, port: port2 }
  const thread = new Worker(worker, { workerData: task, transferList: [port2] })
  thread.unref()
  // A thread that ends early never says that it is done, and the deadline passes.
  thread.on('error', () => {})
  try {
    const deadline = patience + (bytes.length / 1024) * patienceEach
    if (Atomics.wait(done, 0, 0, deadline) === 'timed-out') return { bytes: null, end: 'corrupt' }
    const answer = receiveMessageOnPort(port1) as
      | { message: { bytes: Uint8Array; end: Decompressed['end'] } }
      | undefined
    if (answer === undefined) return { bytes: null, end: 'corrupt' }
    const { bytes: out, end } = answer.message
    return { bytes: Buffer.from(out.buffer, out.byteOffset, out.byteLength), end }
  } finally {
    port1.close()
    void thread.terminate()
  }
}

/**
 * The streams that follow each other in the file, found from its end: each ends with a footer that says how long its
 * index is, and the index says how long its blocks are. One stream where they do not say so.
 */
function streamsOf(bytes: Buffer): Buffer[] {
  const streams: Buffer[] = []
  try {
    for (let end = bytes.length; end > 0; ) {
      while (end >= 4 && bytes.readUInt32LE(end - 4) === 0) end -= 4
      if (bytes.toString('latin1', end - 2, end) !== 'YZ') return [bytes]
      const indexStart = end - 12 - (bytes.readUInt32LE(end - 8) + 1) * 4
      const start = indexStart - blocksLength(bytes, indexStart) - 12
      if (bytes.readUInt32BE(start) !== 0xfd377a58) return [bytes]
      streams.unshift(bytes.subarray(start, end))
      end = start
    }
  } catch (error) {
    if (error instanceof RangeError) return [bytes]
    throw error
  }
  return streams
}

function blocksLength(bytes: Buffer, index: number): number {
  let at = index + 1
  const number = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(at)
      at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80 || shift > 56) return value
    }
  }
  let total = 0
  for (let records = number(); records > 0; records--) {
    total += Math.ceil(number() / 4) * 4
    number()
  }
  return total
}
