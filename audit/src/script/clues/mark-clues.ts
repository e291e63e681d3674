import { createMarker } from '../../scan/kernel/marker.ts'
import { assignBuckets } from './assign-buckets.ts'
import { type Clue, signLength } from './clues.ts'

/** Visits the places of a script where a clue has a sign, or a part of one; again for each place, unless told to stop. */
export type ClueMarker = (script: Buffer, visit: (clue: Clue, offset: number) => void) => void

/** `null` where the platform has no SIMD, or a clue no marks. */
export function createClueMarker(clues: readonly Clue[]): ClueMarker | null {
  if (clues.some(({ marks }) => marks === null)) return null
  const marked = clues.flatMap((clue) =>
    (clue.marks ?? []).map((mark) => ({ clue, classes: mark.map(codesOf) })),
  )
  const buckets = assignBuckets(marked.map(({ classes }) => classes))
  const visitMarks = createMarker(
    marked.map(({ classes }, index) => ({ classes, bucket: buckets[index] ?? 0 })),
  )
  if (visitMarks === null) return null
  const cluesAt = createLookup(marked)
  return (script, visit) =>
    visitMarks(script, (offset, word) => {
      for (const clue of cluesAt(word)) visit(clue, offset)
    })
}

/** Says whether a sign of a clue is around a place that it has marked. Places come in rising order. */
export type IsSigned = (clue: Clue, offset: number) => boolean

const widest = 4096

/**
 * Looks at what is around a place; where marks follow each other closely, at more of the script at once, so that it is
 * read a few times at most. Then a place counts as signed that is as near to a sign as such a stretch is long.
 */
export function createSigns(script: Buffer): IsSigned {
  const looked = new Map<Clue, { end: number; width: number; isFound: boolean }>()
  return (clue, offset) => {
    const before = looked.get(clue)
    if (before !== undefined && offset < before.end) return before.isFound
    const isNear = before !== undefined && offset - before.end < signLength
    const width = isNear ? Math.min(widest, before.width * 2) : 1
    const end = offset + width
    const isFound = clue.sign.test(
      script.toString('latin1', Math.max(0, offset - signLength), end - 1 + signLength),
    )
    looked.set(clue, { end, width, isFound })
    return isFound
  }
}

function codesOf(chars: string): number[] {
  return [...Buffer.from(chars, 'latin1')]
}

interface Marked {
  readonly clue: Clue
  readonly classes: readonly (readonly number[])[]
}

/** The clues that four bytes (in little endian) may be a sign of. The same ones come again and again. */
function createLookup(marked: readonly Marked[]): (word: number) => readonly Clue[] {
  const known = new Map<number, readonly Clue[]>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const bytes = [word & 255, (word >> 8) & 255, (word >> 16) & 255, word >>> 24]
    const clues = marked
      .filter(({ classes }) => bytes.every((byte, place) => classes[place]?.includes(byte) === true))
      .map(({ clue }) => clue)
    known.set(word, clues)
    return clues
  }
}
