import { type Effort, pay } from '../../model/effort.ts'
import { type Clue, cluesFor, type ReadScript } from './clues.ts'
import { resolveEscapes } from './escaped-literals.ts'
import { createClueMarker, createSigns } from './mark-clues.ts'
import { markedPlaces } from './marked-places.ts'
import { withoutMentions } from './mentioned-prefix.ts'

/** Says whether a script holds or can spell a piece of a secret or address, and is worth parsing. */
export interface Fragments {
  /** Checks a piece of a script, in which each escape counts. */
  inText(text: string): boolean
  /** The same without addresses. */
  ofSecretIn(text: string): boolean
  /**
   * Checks a whole script in UTF-8, which is made a text only where there is a sign. Escapes count where
   * there is another reason without them.
   */
  inBytes(bytes: Buffer): boolean
  /**
   * Says the same, whether it has a piece of the prefix or the mint's path, which matters to other scripts, and whether
   * its literals can spell the prefix.
   */
  read(bytes: Buffer): {
    readonly isWorth: boolean
    readonly hasPiece: boolean
    readonly isSpelled: () => boolean
    /** The same of several literals, each a part of it. */
    readonly isSpelledApart: () => boolean
  }
  /** The same for parts of a text, `[start, end)`. What the text has in many places is only looked at where it is. */
  inParts(text: string, effort: Effort): (start: number, end: number) => boolean
}

const made = new Map<string, Fragments>()

export function fragmentsOf(prefix: string): Fragments {
  const known = made.get(prefix)
  if (known !== undefined) return known
  const wanted = cluesFor(prefix)
  const secrets = wanted.filter(({ isAddress }) => isAddress !== true)
  const isAnyIn = (clues: readonly Clue[], text: string) => {
    const script = readingOfText(text)
    return clues.some(({ sign, confirms }) => sign.test(text) && confirms(script))
  }
  const inText = (text: string) => isAnyIn(wanted, text)
  const mark = createClueMarker(wanted)
  const signedIn = (bytes: Buffer): Signed[] => {
    if (mark === null) {
      const text = bytes.toString('latin1')
      return wanted.filter(({ sign }) => sign.test(text)).map((clue) => ({ clue, places: undefined }))
    }
    const places = new Map<Clue, number[]>()
    const signed = new Set<Clue>()
    const isSigned = createSigns(bytes)
    mark(bytes, (clue, offset) => {
      const own = places.get(clue)
      if (own === undefined) places.set(clue, [offset])
      else if (own.length < mostPlaces) own.push(offset)
      if (!signed.has(clue) && isSigned(clue, offset)) signed.add(clue)
    })
    return Array.from(signed, (clue) => {
      const own = places.get(clue)
      return { clue, places: own !== undefined && own.length < mostPlaces ? own : undefined }
    })
  }
  const read = (bytes: Buffer) => {
    const script = readingOf(bytes)
    const signed = signedIn(bytes)
    const pieces = signed.flatMap(({ clue }) => clue.piece ?? [])
    const hasPiece =
      pieces.some((piece) => piece.test(script.text())) &&
      pieces.some((piece) => piece.test(withoutMentions(script.text(), prefix)))
    const isSpelled = () =>
      signed.some(({ clue, places }) => clue.isSpelled === true && clue.confirms(script, places))
    const isSpelledApart = () => {
      const apart = readingOfText(script.text().replaceAll(prefix, ' '.repeat(prefix.length)))
      return signed.some(({ clue }) => clue.isSpelled === true && clue.confirms(apart))
    }
    return { isWorth: isWorth(bytes, script, signed), hasPiece, isSpelled, isSpelledApart }
  }
  const inBytes = (bytes: Buffer, isResolved = false): boolean =>
    isWorth(bytes, readingOf(bytes), signedIn(bytes), isResolved)
  const isWorth = (
    bytes: Buffer,
    script: ReadScript,
    signed: readonly Signed[],
    isResolved = false,
  ): boolean => {
    const [escapes, others] = [true, undefined].map((is) => signed.filter(({ clue }) => clue.isEscape === is))
    if (others?.some(({ clue, places }) => clue.confirms(script, places)) === true) return true
    if (escapes === undefined || escapes.length === 0) return false
    // One that is left makes another escape out of what is around it.
    return isResolved || inBytes(resolveEscapes(bytes), true)
  }
  const fragments: Fragments = {
    inText,
    ofSecretIn: (text) => isAnyIn(secrets, text),
    inBytes: (bytes) => inBytes(bytes),
    read,
    inParts(text, effort) {
      const isMarked = mark === null ? always : markedPlaces(text, mark)
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

/** A clue that a script has a sign of. */
interface Signed {
  readonly clue: Clue
  /** All of its marks; `undefined` where they are too many. */
  readonly places: readonly number[] | undefined
}

const mostPlaces = 20_000

/** Every clue is looked for, and some of them in many ways. */
const stepsOfCharacter = 8

function always(): boolean {
  return true
}

function readingOfText(text: string): ReadScript {
  return { bytes: () => Buffer.from(text, 'latin1'), text: () => text }
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
