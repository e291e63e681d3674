import { createRequire } from 'node:module'
import type { default as Bunzip } from 'seek-bzip'
import { type Decompressed, expandedTo, stripSuffix } from './compressed-file.ts'
import type { OpeningOf } from './container-format.ts'

/** Loaded for the first such file: most audits see none. */
const load = createRequire(import.meta.url)

class OverBound extends Error {}

/** How the first block begins: with data, or with its end. */
const blocks = new Set(['314159265359', '177245385090'])

function hasMark(bytes: Buffer): boolean {
  return /^BZh[1-9]$/.test(bytes.toString('latin1', 0, 4))
}

export const bzip2: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'bzip2',
  begins: [Buffer.from('BZh')],
  expand: (name, bytes, bound) =>
    hasMark(bytes) && blocks.has(bytes.toString('hex', 4, 10))
      ? expandedTo(stripSuffix(name, /\.t?bz2?$/i, 'bz2'), expandBzip2(bytes, bound))
      : null,
  openLarge: (_, head) => (hasMark(head) ? 'bzip2 compression' : null),
}

/** The contents of a bzip2 file, at most `bound` bytes; of a file that is cut off, what came before. */
function expandBzip2(bytes: Buffer, bound: number): Decompressed {
  let out = Buffer.allocUnsafe(Math.min(bound, bytes.length * 8))
  let size = 0
  const writeByte = (byte: number) => {
    if (size === bound) throw new OverBound()
    if (size === out.length) {
      const larger = Buffer.allocUnsafe(Math.min(bound, Math.max(4096, size * 2)))
      out.copy(larger)
      out = larger
    }
    out[size] = byte
    size += 1
  }
  try {
    const bunzip = load('seek-bzip') as typeof Bunzip
    bunzip.decode(bytes, { writeByte }, true)
    return { bytes: out.subarray(0, size), end: 'whole' }
  } catch (error) {
    if (error instanceof OverBound) return { bytes: null, end: 'limit' }
    // The library throws type errors as well where the data is cut off.
    return { bytes: size > 0 ? out.subarray(0, size) : null, end: 'corrupt' }
  }
}
