import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { BodyTooLarge } from './failure.ts'

/** A peer may compress although it was asked not to; what it inflates to is bounded like any body. */
export function inflated(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Buffer {
  const inflate = { gzip: gunzipSync, 'x-gzip': gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[
    encoding?.trim().toLowerCase() ?? ''
  ]
  if (inflate === undefined || bytes.length === 0) return bytes
  try {
    return inflate(bytes, { maxOutputLength })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new BodyTooLarge()
    throw error
  }
}

const mostInflated = 4 * 1024 * 1024

/** A sent body as text. It is often compressed without a header that says so: its first bytes show it. */
export function readSentBody(bytes: Buffer, encoding: string | undefined): string {
  try {
    return inflated(bytes, compressionOf(bytes) ?? encoding, mostInflated).toString('utf8')
  } catch {
    // A body that is not what it says, or expands without end, is shown as it came.
    return bytes.toString('utf8')
  }
}

function compressionOf([first, second]: Buffer): string | undefined {
  if (first === 0x1f && second === 0x8b) return 'gzip'
  return first === 0x78 && second !== undefined && (first * 256 + second) % 31 === 0 ? 'deflate' : undefined
}
