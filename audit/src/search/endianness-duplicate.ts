import type { View } from './needles.ts'

const longest = 512

/**
 * UTF-16 text of plain letters reads as the other byte order too, from its second byte on, or from a zero before it.
 * This reading is the duplicate where the other order is that of the text.
 */
export function isEndiannessDuplicate(bytes: Buffer, offset: number, view: View): boolean {
  if (view !== 'utf-16le' && view !== 'utf-16be') return false
  return orderAround(bytes, view === 'utf-16le' ? offset : offset + 1) !== view
}

/** The order of the text that has a letter at an offset, by what is before and behind all letters with zeros between. */
function orderAround(bytes: Buffer, letter: number): View {
  let first = letter
  while (letter - first < 2 * longest && bytes[first - 1] === 0 && isLetter(bytes[first - 2])) first -= 2
  let last = letter
  while (last - letter < 2 * longest && bytes[last + 1] === 0 && isLetter(bytes[last + 2])) last += 2
  // A zero behind the last letter is its own high byte, or that of what follows; both orders read the same text then.
  if (bytes[last + 1] === 0 || bytes[first - 1] !== 0) return 'utf-16le'
  const letters = (last - first) / 2
  if (isLengthBefore(bytes, first, letters)) return 'utf-16le'
  const isLengthOfBig =
    isLengthOf(letters, bytes[first] ?? 0) ||
    (first >= 3 && isLengthOf(letters + 1, bytes.readUInt16BE(first - 3)))
  return first % 2 === 0 && !isLengthOfBig ? 'utf-16le' : 'utf-16be'
}

/** Before a text in little endian behind which a byte looks like one more letter. */
function isLengthBefore(bytes: Buffer, first: number, letters: number): boolean {
  if (first >= 4 && isLengthOf(letters, bytes.readUInt32LE(first - 4))) return true
  return first >= 2 && isLengthOf(letters, bytes.readUInt16LE(first - 2))
}

/** In characters or in bytes. */
function isLengthOf(letters: number, length: number): boolean {
  return length === letters || length === 2 * letters
}

/** Printable, or the end of a line. */
function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte > 31 && byte < 127) || byte === 10 || byte === 13 || byte === 9)
}
