import type { View } from './needles.ts'

const longest = 512

/**
 * UTF-16 text of plain letters reads as the other byte order too, from its second byte on, or from a zero before it.
 * Where the other reading goes on longer, this one is its duplicate: the last letter is lost in it.
 */
export function isEndiannessDuplicate(bytes: Buffer, offset: number, view: View): boolean {
  if (view === 'utf-8') return false
  const isLittle = view === 'utf-16le'
  const other = isLittle ? offset - 1 : offset + 1
  return lettersFrom(bytes, other, isLittle ? 1 : 0) > lettersFrom(bytes, offset, isLittle ? 0 : 1)
}

/** How many printable characters follow each other; `low` is the place of a character's low byte. */
function lettersFrom(bytes: Buffer, offset: number, low: 0 | 1): number {
  let count = 0
  for (let at = offset; count < longest && isPrintable(bytes[at + low]) && bytes[at + 1 - low] === 0; at += 2)
    count += 1
  return count
}

function isPrintable(byte: number | undefined): boolean {
  return byte !== undefined && byte > 32 && byte < 127
}
