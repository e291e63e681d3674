import { inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'

/** A stream's contents, and how many bytes of it they took; `over` where they are more than the bound, `null` of no stream. */
export type Inflated = { readonly bytes: Buffer; readonly used: number } | 'over' | null

/** Inflates a stream of zlib, whatever is behind it. */
export function inflate(bytes: Buffer, bound: number): Inflated {
  return inflateBy(inflateSync, bytes, { maxOutputLength: Math.max(1, bound) })
}

/** Inflates bare deflate: no checksum is compared. */
export function inflateRaw(bytes: Buffer, bound: number, options: ZlibOptions = {}): Inflated {
  return inflateBy(inflateRawSync, bytes, { ...options, maxOutputLength: Math.max(1, bound) })
}

function inflateBy(read: typeof inflateSync, bytes: Buffer, options: ZlibOptions): Inflated {
  try {
    // With `info`, Node gives the engine as well, which its types do not know.
    const { buffer, engine } = read(bytes, { ...options, info: true }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    return { bytes: buffer, used: engine.bytesWritten }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'over' : null
  }
}
