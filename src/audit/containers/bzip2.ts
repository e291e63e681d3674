import { decodeBzip2 } from './bzip2-decoder.ts'
import { type Decompressed, expandedTo, stripSuffix } from './compressed-file.ts'
import type { OpeningOf } from './container-format.ts'
import { decompressedBy } from './growing-output.ts'

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
export function expandBzip2(bytes: Buffer, bound: number): Decompressed {
  return decompressedBy(bound, bytes.length * 8, (output) => decodeBzip2(bytes, output))
}
