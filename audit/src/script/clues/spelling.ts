/** A text that a script may put together out of literals. */
export interface Spelling {
  /** A part of every script that does so; it ends at most as many characters later as the text has, and a few. */
  readonly sign: RegExp
  /** Every sign holds one of these: four characters of the text, or a whole literal of fewer. */
  readonly grams: readonly string[]
  readonly shortPieces: readonly string[]
  /** Says whether literals of the script, one after the other, can be the text, or most of it. */
  canBeSpelledIn(script: string): boolean
  /** The parts of the text that are literals of the script, of those that together are all of it. */
  partsIn(script: string): readonly Part[]
}

/** How a literal begins and ends, as a part of a template or inside another literal, too. */
export const openers = '"\'`}'
export const closers = '"\'`$\\'
const opening = '["\'`}]'
const closing = '["\'`$\\\\]'
/** Marks around a word: a mark that the script replaces later, or the marks of a text of settings, such as a query, a `.env` file or YAML. */
const besideWord = { before: `(?:${opening}[-./:]?|[=:] ?)`, behind: `(?:[-./:]?${closing}|[&;,|\\r\\n])` }
/** Marks between the cells of a text that a script splits. Words alone are no cells: countless lists hold them. */
export const betweenCells = '|,;~ '
const aroundCell = `[${betweenCells}"'\`]`
/** How the places begin that a function fills in a text, as in `ac_{stage}`, `ac_%s` and `ac_:stage`. */
export const placeholders = '{%<$:'
const gramLength = 4
/** A split of an encoded text leaves as many characters together somewhere. */
export const leastEncoded = 5

/** Texts as short as this have no middle: they are looked for in every script. */
export const shortest = 8

/**
 * How a text is written: an `encoded` one is never cut into pieces of fewer than five characters only; of the others,
 * what is before the prefix is before the text, or behind it where that is `reversed`.
 */
export type Writing = 'forward' | 'reversed' | 'encoded'

/**
 * Recognises every script that spells the text out of literals of two or more characters, or of one letter beside the one that comes before or after it;
 * where a large part is a literal, the rest may be computed. Its first two characters are no piece of their own where they
 * are the end of a word: countless literals end so.
 */
export function createSpelling(target: string, writing: Writing): Spelling {
  const { length } = target
  const isEncoded = writing === 'encoded'
  const middle = length >> 1
  const large = Math.max(5, Math.ceil(length * 0.6))
  // Most scripts hold no sign of most spellings: their patterns are made for the first that does.
  const all = once(() => partsOf(target).map((part) => pieceOf(target, part, writing)))
  // Without a piece of four, something else than the first and the last three characters is in shorter pieces.
  const isSign = ({ from, to }: Part) =>
    isEncoded ? to - from >= leastEncoded : to - from >= gramLength || (from <= middle && to > middle)
  const signs = once(() => all().filter(isSign))
  const sign = once(() =>
    length < shortest
      ? /^/
      : new RegExp(
          signs()
            .map(({ source }) => source)
            .join('|'),
        ),
  )
  const isMark = (at: number) => /^[^a-z0-9]$/i.test(target[at] ?? '')
  /** Says whether a part is whole words before a mark, which may be in a text that they are put into. */
  const isBeforeMark = ({ from, to }: Part) =>
    writing === 'forward' && length >= shortest && isMark(to) && (from === 0 || isMark(from - 1))
  return {
    get sign() {
      return sign()
    },
    grams: gramsOf(target).filter((_, at) => !isEncoded || at % (leastEncoded + 1 - gramLength) === 0),
    shortPieces: partsOf(target)
      .filter((part) => isSign(part) && part.to - part.from < gramLength)
      .map(({ from, to }) => target.slice(from, to)),
    canBeSpelledIn(script) {
      const isIn = holdsOf(target, script)
      const isFound = (piece: Piece, pattern: () => RegExp) => isIn(piece) && pattern().test(script)
      const isLarge = ({ from, to }: Part) => to - from >= large
      if (all().some((piece) => isLarge(piece) && isFound(piece, piece.isAlone))) return true
      const isReached = [true]
      const isBehindMark: boolean[] = []
      for (const piece of all()) {
        const { from, to } = piece
        // Only whole words go on behind a mark that is no literal: countless lists hold words of two letters.
        const leads =
          isReached[from] === true || (isBehindMark[from] === true && (isMark(to) || to === length))
        if (!leads || !isFound(piece, piece.pattern)) continue
        isReached[to] = true
        if (isBeforeMark(piece)) (to + 1 === length ? isReached : isBehindMark)[to + 1] = true
      }
      return isReached[length] === true
    },
    partsIn(script) {
      const isIn = holdsOf(target, script)
      const found = all().filter((piece) => isIn(piece) && piece.pattern().test(script))
      const [isReached, leadsOn] = [[true], [] as boolean[]]
      const marks = found.filter(isBeforeMark).map(({ to }) => ({ from: to, to: to + 1 }))
      const steps = [...found, ...marks].sort((a, b) => a.from - b.from)
      for (const { from, to } of steps) if (isReached[from] === true) isReached[to] = true
      leadsOn[length] = true
      for (const { from, to } of steps.toReversed()) if (leadsOn[to] === true) leadsOn[from] = true
      return found.filter(({ from, to }) => isReached[from] === true && leadsOn[to] === true)
    },
  }
}

/** Tells which parts of a text a script holds. Where it does not hold a part, it holds no longer one either. */
function holdsOf(target: string, script: string): (part: Part) => boolean {
  const ends: number[] = []
  const endFrom = (from: number) => {
    let to = from
    while (to < target.length && script.includes(target.slice(from, to + 1))) to += 1
    return to
  }
  return ({ from, to }) => {
    ends[from] ??= endFrom(from)
    return to <= (ends[from] ?? 0)
  }
}

function gramsOf(target: string): string[] {
  return Array.from({ length: Math.max(0, target.length + 1 - gramLength) }, (_, at) =>
    target.slice(at, at + gramLength),
  )
}

/** `[from, to)` of a text. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** In the order of their beginnings. */
function partsOf({ length }: string): Part[] {
  return Array.from({ length }, (_, from) =>
    Array.from({ length: length - from }, (_, more) => ({ from, to: from + more + 1 })),
  ).flat()
}

/** A part of a text that may be a literal of its own. */
interface Piece extends Part {
  readonly source: string
  readonly pattern: () => RegExp
  /** The same where it is no mere word. */
  readonly isAlone: () => RegExp
}

function pieceOf(target: string, { from, to }: Part, writing: Writing): Piece {
  const source = sourceOf(target, { from, to }, writing)
  const isEnd = from > 0 && to === target.length
  return {
    from,
    to,
    source,
    pattern: once(() => new RegExp(source)),
    isAlone: once(() => new RegExp(isEnd ? source + notOnlyWords : source)),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A literal such as "live_region" is a word and no end of a key. */
const notOnlyWords = `(?!(?:[a-z_]+|[A-Z_]+)${closing})`

/** Longer ones are rare enough at the end of words. */
const longestAtEdge = 2

/** A piece that closes a literal, with no letter or digit before it but that of an escape; looked at last, since it takes longest. */
function closingAlone(piece: string): string {
  const escapes = `\\\\(?:[bfnrtv0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})|%[0-9a-fA-F]{2}`
  return `${piece}${closing}(?:(?<![A-Za-z0-9]${piece}.)|(?<=(?:${escapes})${piece}.))`
}

/** Behind a mark, the place for another part may follow in the same text. */
function closingOf(last = ''): string {
  return /[a-z0-9]/i.test(last) ? closing : `[${placeholders}${closing.slice(1)}`
}

/** A literal that is a part of the text, or that ends or begins with its beginning or end. */
function sourceOf(target: string, part: Part, writing: Writing): string {
  const source = sourceOfLiteral(target, part, writing)
  const isMark = (at: number) => !/[a-z0-9]/i.test(target[at] ?? '')
  const areWords = isMark(part.from - 1) && !isMark(part.from) && (isMark(part.to) || isMark(part.to - 1))
  if (!areWords || writing !== 'forward' || part.to - part.from === target.length) return source
  const piece = literally(target.slice(part.from, part.to))
  const cell = isMark(part.to - 1) ? `|${aroundCell}${piece}${aroundCell}` : ''
  return `(?:${source}|${besideWord.before}${piece}${besideWord.behind}${cell})`
}

function sourceOfLiteral(target: string, { from, to }: Part, writing: Writing): string {
  const piece = literally(target.slice(from, to))
  const isFirst = from === 0
  const isLast = to === target.length
  if (isFirst && isLast) return piece
  const isOfWord = (char = '') => to - from <= longestAtEdge && /[a-z0-9]/i.test(char)
  if (isFirst && writing === 'forward' && isOfWord(target[from])) return closingAlone(piece)
  if (isLast && writing === 'reversed' && isOfWord(target[to - 1])) return `${opening}${piece}(?![A-Za-z0-9])`
  // A character that is no letter may also be the separator that joins others.
  if (to - from > 1 || isLast || /[^a-z0-9]/i.test(target[from] ?? ''))
    return `${isFirst ? '' : opening}${piece}${isLast ? '' : closingOf(target[to - 1])}`
  if (isFirst) return `(?<![A-Za-z0-9])${piece}${closing}`
  const before = literally(target[from - 1] ?? '')
  const after = literally(target[to] ?? '')
  const separator = `["'\`]\\s{0,9}[,+]\\s{0,9}${opening}`
  return `${before}${separator}${piece}${closing}|${opening}${piece}${separator}${after}|\\}${piece}\\$`
}

/** For a pattern. */
export function literally(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}
