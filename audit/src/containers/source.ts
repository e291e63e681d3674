import { readSync } from 'node:fs'

/** Bytes that can be read from any place: in memory, or in a file that is too large for it. */
export interface Source {
  readonly size: number
  /** All bytes of a source in memory. */
  readonly whole?: Buffer
  /** On the same bytes. */
  view?(): DataView
  /** Bytes from `start` to `end`, fewer where the source ends before; a file is read into `memory` where that is given. */
  read(start: number, end: number, memory?: Buffer): Buffer
  /** A part of it, without reading it. */
  part(start: number, end: number): Source
}

export function inMemory(bytes: Buffer): Source {
  let view: DataView | undefined
  return {
    size: bytes.length,
    whole: bytes,
    view() {
      view ??= viewOf(bytes)
      return view
    },
    read: (start, end) => bytes.subarray(start, Math.max(start, end)),
    part: (start, end) => inMemory(bytes.subarray(start, end)),
  }
}

export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}

/** A stretch of an open file. */
export function inFile(file: number, start: number, end: number): Source {
  const size = end - start
  return {
    size,
    read(from, to, memory) {
      const length = Math.max(0, Math.min(size, to) - Math.max(0, from))
      const bytes = memory?.subarray(0, length) ?? Buffer.allocUnsafe(length)
      return readInto(file, bytes, start + Math.max(0, from))
    },
    part: (from, to) => inFile(file, start + from, start + Math.min(size, Math.max(from, to))),
  }
}

/** Fills a buffer from a place in a file. @returns what of it could be filled */
export function readInto(file: number, bytes: Buffer, position: number): Buffer {
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
