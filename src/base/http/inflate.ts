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
