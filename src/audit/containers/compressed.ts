import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { expandBzip2 } from './bzip2.ts'
import type { Decompressed } from './decompressed.ts'
import { readMembers } from './gzip.ts'
import { isEncrypted, opaqueKind } from './opaque.ts'
import { expandXz } from './xz.ts'

/** What a compressed file holds; `problem` where it holds more, or something else, than could be read. */
export interface Expanded {
  readonly name: string
  readonly bytes: Buffer | null
  /** How many bytes of the file that took: what follows is something else. */
  readonly consumed?: number
  readonly problem?: {
    readonly kind: 'corrupt' | 'limit' | 'unsupported' | 'encrypted'
    readonly reason: string
  }
}

/** How the first block of a bzip2 file begins: with data, or with its end. */
const bzipBlocks = new Set(['314159265359', '177245385090'])

/** `null` where the bytes are no compressed file. Brotli has no mark of its own: only a `.br` is tried. */
export function expand(name: string, bytes: Buffer, bound: number): Expanded | null {
  const magic = bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
  if (magic >>> 8 === 0x1f8b08) return expandedBy(gunzipSync, stripped(name, /\.t?gz$/i, 'gz'), bytes, bound)
  if (magic === 0x28b52ffd)
    return expandedBy(zstdDecompressSync, stripped(name, /\.t?zst$/i, 'zst'), bytes, bound)
  if (/\.br$/i.test(name) && bytes.length > 0)
    return expandedBy(brotliDecompressSync, stripped(name, /\.br$/i, 'br'), bytes, bound)
  if (magic === 0xfd377a58) return described(stripped(name, /\.t?xz$/i, 'xz'), expandXz(bytes, bound))
  if (/^BZh[1-9]$/.test(bytes.toString('latin1', 0, 4)) && bzipBlocks.has(bytes.toString('hex', 4, 10)))
    return described(stripped(name, /\.t?bz2?$/i, 'bz2'), expandBzip2(bytes, bound))
  const deflated = isZlib(bytes) ? expandedBy(inflateSync, `${name}.expanded`, bytes, bound) : null
  // Its mark is two bytes: what does not become whole is something else that begins so.
  if (deflated !== null && deflated.problem?.kind !== 'corrupt') return deflated
  if (isEncrypted(bytes))
    return { name, bytes: null, problem: { kind: 'encrypted', reason: 'encrypted file' } }
  const opaque = opaqueKind(name, bytes)
  return opaque === null
    ? null
    : { name, bytes: null, problem: { kind: 'unsupported', reason: `${opaque} cannot be opened` } }
}

/** The head of a zlib stream: deflate, in a window of 32 KB, without a dictionary. */
function isZlib(bytes: Buffer): boolean {
  return (
    bytes.length > 8 &&
    bytes[0] === 0x78 &&
    bytes.readUInt16BE(0) % 31 === 0 &&
    ((bytes[1] ?? 0) & 0x20) === 0
  )
}

function described(name: string, { bytes, end }: Decompressed): Expanded {
  if (end === 'whole') return { name, bytes }
  const reason = end === 'limit' ? 'over the size limit' : 'the compressed data is corrupt or cut off'
  return { name, bytes, problem: { kind: end, reason } }
}

function stripped(name: string, suffix: RegExp, other: string): string {
  if (!suffix.test(name)) return name.endsWith(`.${other}`) ? name : `${name}.expanded`
  const rest = name.replace(suffix, '')
  return /\.(?:tgz|tzst|txz|tbz2?)$/i.test(name) ? `${rest}.tar` : rest
}

type Decompress = (
  bytes: Buffer,
  options: { maxOutputLength: number; finishFlush?: number; info?: true },
) => Buffer

function expandedBy(decompress: Decompress, name: string, bytes: Buffer, bound: number): Expanded {
  const maxOutputLength = Math.max(1, bound)
  try {
    const { buffer, engine } = decompress(bytes, { maxOutputLength, info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    return { name, bytes: buffer, consumed: engine.bytesWritten }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      return { name, bytes: null, problem: { kind: 'limit', reason: 'over the size limit' } }
    const members = decompress === gunzipSync ? readMembers(bytes, maxOutputLength) : null
    const part = members ?? { bytes: partOf(decompress, bytes, maxOutputLength) }
    const problem = { kind: 'corrupt', reason: 'the compressed data is corrupt or cut off' } as const
    return { name, ...part, problem }
  }
}

/** What can be read before the place where a stream is cut off. */
function partOf(decompress: Decompress, bytes: Buffer, maxOutputLength: number): Buffer | null {
  try {
    return decompress(bytes, { maxOutputLength, finishFlush: decompress === gunzipSync ? 2 : 1 })
  } catch {
    return null
  }
}
