import { inflateRawSync } from 'node:zlib'

/** A stream's contents, and how many bytes of it they took; `over` where they are more than the bound, `null` of no stream. */
export type Decompressed = { readonly bytes: Buffer; readonly used: number } | 'over' | null

interface Options {
  readonly maxOutputLength?: number
  readonly finishFlush?: number
  readonly chunkSize?: number
  readonly info?: true
}

export type Decoder = (bytes: Buffer, options: Options) => Buffer

/** Decompresses a stream, whatever is behind it. */
export function decompress(read: Decoder, bytes: Buffer, bound: number, options: Options = {}): Decompressed {
  const { stackTraceLimit } = Error
  // The stack of an error that is not used takes longer than the inflation.
  Error.stackTraceLimit = 0
  try {
    // With `info`, Node gives the engine as well, which its types do not know.
    const { buffer, engine } = read(bytes, {
      ...options,
      maxOutputLength: Math.max(1, bound),
      info: true,
    }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
    return { bytes: buffer, used: engine.bytesWritten }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'over' : null
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Inflates bare deflate: no checksum is compared. */
export function inflateRaw(bytes: Buffer, bound: number, options: Options = {}): Decompressed {
  return decompress(inflateRawSync, bytes, bound, options)
}
