import { gunzipSync, inflateSync, constants, zstdDecompressSync } from 'node:zlib'
import { beginsDeflated } from './deflate-head.ts'
import type { Stretch } from './stretches.ts'

/** What data of a program or a resource file expands to where it is compressed. */
export interface Stream extends Stretch {
  readonly bytes: Buffer
  readonly encoding: 'gzip' | 'zlib' | 'zstd'
}

/** What all streams of a value come to: files hold few, and hostile ones are as many as their bytes. */
const mostExpanded = 4 * 1024 * 1024
const expandedOfByte = 4
/** What it costs to try bytes that are no stream, in bytes that are expanded. */
const costOfTrial = 32 * 1024
/** A key is as long. */
const leastBytes = 24

const readers = {
  gzip: (bytes: Buffer, maxOutputLength: number) =>
    gunzipSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH, info: true }),
  zlib: (bytes: Buffer, maxOutputLength: number) =>
    inflateSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH, info: true }),
  zstd: (bytes: Buffer, maxOutputLength: number) => zstdDecompressSync(bytes, { maxOutputLength, info: true }),
}

/**
 * Compressed data somewhere in other bytes, each stream once.
 * @param heads where two bytes are as at its beginning
 */
export function* packedStreams(bytes: Buffer, heads: readonly number[]): Generator<Stream> {
  let left = mostExpanded + expandedOfByte * bytes.length
  let until = 0
  for (const start of heads) {
    const encoding = start < until || left <= 0 ? null : encodingAt(bytes, start)
    if (encoding === null) continue
    const most = Math.min(left, mostExpanded)
    left -= costOfTrial
    try {
      const { buffer, engine } = readers[encoding](bytes.subarray(start), most) as unknown as {
        readonly buffer: Buffer
        readonly engine: { readonly bytesWritten: number }
      }
      left -= buffer.length
      const end = start + engine.bytesWritten
      if (buffer.length < leastBytes || end === start) continue
      until = end
      yield { bytes: buffer, start, end, encoding }
    } catch (error) {
      // Most of what only begins like one ends after a few bytes.
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') left -= most
    }
  }
}
