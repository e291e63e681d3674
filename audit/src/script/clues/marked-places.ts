import { signLength } from './clues.ts'
import { type ClueMarker, createSigns } from './mark-clues.ts'

/** So much of a text becomes bytes at once. */
const windowLength = 1024 * 1024
/** More than a look for a sign reaches to either side. */
const around = 8192 + signLength
const bitsOfWord = 32

/**
 * Makes a function that says whether a part of a text, `[start, end)`, has a signed mark of a clue. A hostile text has
 * millions of marks: they are bits, and the number of those before each word of bits.
 */
export function markedPlaces(text: string, mark: ClueMarker): (start: number, end: number) => boolean {
  const bits = new Int32Array(Math.ceil((text.length + 1) / bitsOfWord))
  const window = Buffer.allocUnsafeSlow(Math.min(text.length, windowLength + 2 * around))
  for (let from = 0; from < text.length; from += windowLength) {
    const first = Math.max(0, from - around)
    // A character that is none of Latin-1 counts as another one: that makes a mark at most.
    const length = window.write(text.slice(first, from + windowLength + around), 'latin1')
    const bytes = window.subarray(0, length)
    const isSigned = createSigns(bytes)
    mark(bytes, (clue, offset) => {
      const place = first + offset
      if (place >= from && place < from + windowLength && isSigned(clue, offset)) setBit(bits, place)
    })
  }
  const before = new Int32Array(bits.length)
  for (let word = 1; word < bits.length; word++)
    before[word] = (before[word - 1] ?? 0) + bitsIn(bits[word - 1] ?? 0)
  const countBefore = (end: number) => {
    const place = Math.min(end, text.length)
    const word = Math.floor(place / bitsOfWord)
    const below = (1 << (place % bitsOfWord)) - 1
    return (before[word] ?? 0) + bitsIn((bits[word] ?? 0) & below)
  }
  return (start, end) => countBefore(end) > countBefore(start)
}

function setBit(bits: Int32Array, place: number): void {
  const word = Math.floor(place / bitsOfWord)
  bits[word] = (bits[word] ?? 0) | (1 << (place % bitsOfWord))
}

/** The number of bits that are set. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
