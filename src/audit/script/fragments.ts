import { type Effort, pay } from '../model/effort.ts'
import { type Clue, cluesFor, type ReadScript } from './clues.ts'
import { type ClueMarker, createClueMarker, isSigned } from './mark-clues.ts'

/** Whether a script holds a piece of what is looked for, or can spell it, so that it is worth parsing. */
export interface Fragments {
  inText(text: string): boolean
  /** The same for bytes in UTF-8, which are only made a text where there is a sign. */
  inBytes(bytes: Buffer): boolean
  /** The same for parts of a text, `[start, end)`. What the text has in many places is only looked at where it is. */
  inParts(text: string, effort: Effort): (start: number, end: number) => boolean
}

const made = new Map<string, Fragments>()

export function fragmentsOf(prefix: string): Fragments {
  const known = made.get(prefix)
  if (known !== undefined) return known
  const wanted = cluesFor(prefix)
  const inText = (text: string) => {
    const script: ReadScript = { bytes: () => Buffer.from(text, 'latin1'), text: () => text }
    return wanted.some(({ sign, confirms }) => sign.test(text) && confirms(script))
  }
  const mark = createClueMarker(wanted)
  const fragments: Fragments = {
    inText,
    inBytes(bytes) {
      if (mark === null) return inText(bytes.toString('latin1'))
      const signed = new Set<Clue>()
      mark(bytes, (clue, offset) => {
        if (!signed.has(clue) && isSigned(clue, bytes, offset)) signed.add(clue)
      })
      const script = readingOf(bytes)
      return [...signed].some(({ confirms }) => confirms(script))
    },
    inParts(text, effort) {
      const isMarked = mark === null ? always : marksIn(text, mark)
      return (start, end) => {
        if (!isMarked(start, end)) return false
        pay(effort, (end - start) * stepsOfCharacter)
        return inText(text.slice(start, end))
      }
    },
  }
  made.set(prefix, fragments)
  return fragments
}

/** Every clue is looked for, and some of them in many ways. */
const stepsOfCharacter = 8

function always(): boolean {
  return true
}

/** Whether a part of a text holds a mark of a clue that has a sign there. */
function marksIn(text: string, mark: ClueMarker): (start: number, end: number) => boolean {
  // A character that is none of Latin-1 counts as another one: that makes a mark at most.
  const bytes = Buffer.from(text, 'latin1')
  const marks: number[] = []
  mark(bytes, (clue, offset) => {
    if (marks.at(-1) !== offset && isSigned(clue, bytes, offset)) marks.push(offset)
  })
  return (start, end) => (marks[firstFrom(marks, start)] ?? Number.POSITIVE_INFINITY) < end
}

/** The index of the first of rising numbers that is not below another one. */
function firstFrom(rising: readonly number[], least: number): number {
  let low = 0
  for (let high = rising.length; low < high; ) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

function readingOf(bytes: Buffer): ReadScript {
  let text: string | undefined
  return {
    bytes: () => bytes,
    text() {
      text ??= bytes.toString('latin1')
      return text
    },
  }
}
