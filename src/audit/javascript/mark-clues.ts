import { createMarker } from '../scan/kernel/marker.ts'
import { bucketsFor } from './buckets.ts'
import { type Clue, signLength } from './clues.ts'

/** Finds the clues of which a script holds a sign; `null` where the platform has no SIMD, or a clue no marks. */
export function createClueMarker(clues: readonly Clue[]): ((script: Buffer) => ReadonlySet<Clue>) | null {
  if (clues.some(({ marks }) => marks === null)) return null
  const marked = clues.flatMap((clue) =>
    (clue.marks ?? []).map((mark) => ({ clue, classes: mark.map(codesOf) })),
  )
  const buckets = bucketsFor(marked.map(({ classes }) => classes))
  const visitMarks = createMarker(
    marked.map(({ classes }, index) => ({ classes, bucket: buckets[index] ?? 0 })),
  )
  if (visitMarks === null) return null
  const cluesAt = createLookup(marked)
  return (script) => {
    const signed = new Set<Clue>()
    visitMarks(script, (offset, word) => {
      for (const clue of cluesAt(word))
        if (!signed.has(clue) && isSigned(clue, script, offset)) signed.add(clue)
    })
    return signed
  }
}

function isSigned({ sign }: Clue, script: Buffer, offset: number): boolean {
  return sign.test(script.toString('latin1', Math.max(0, offset - signLength), offset + signLength))
}

function codesOf(chars: string): number[] {
  return [...Buffer.from(chars, 'latin1')]
}

interface Marked {
  readonly clue: Clue
  readonly classes: readonly (readonly number[])[]
}

const bitsPerWord = 32

/** The clues that four bytes (in little endian) may be a sign of, by a bit for each mark that allows each byte. */
function createLookup(marked: readonly Marked[]): (word: number) => readonly Clue[] {
  const width = Math.ceil(marked.length / bitsPerWord)
  const allowing = [0, 1, 2, 3].map((place) => {
    const bits = new Int32Array(256 * width)
    marked.forEach(({ classes }, index) => {
      for (const byte of classes[place] ?? []) {
        const at = byte * width + Math.floor(index / bitsPerWord)
        bits[at] = (bits[at] ?? 0) | (1 << (index % bitsPerWord))
      }
    })
    return bits
  })
  const [first, second, third, fourth] = allowing as [Int32Array, Int32Array, Int32Array, Int32Array]
  // Called for every mark: most of them are of no clue.
  return (word) => {
    const a = (word & 255) * width
    const b = ((word >> 8) & 255) * width
    const c = ((word >> 16) & 255) * width
    const d = (word >>> 24) * width
    let found = none
    for (let at = 0; at < width; at++) {
      const bits =
        (first[a + at] as number) &
        (second[b + at] as number) &
        (third[c + at] as number) &
        (fourth[d + at] as number)
      if (bits !== 0) found = [...found, ...withBits(marked, bits, at * bitsPerWord)]
    }
    return found
  }
}

const none: readonly Clue[] = []

function withBits(marked: readonly Marked[], bits: number, from: number): Clue[] {
  return marked
    .slice(from, from + bitsPerWord)
    .flatMap(({ clue }, bit) => (((bits >> bit) & 1) === 1 ? [clue] : []))
}
