import { shapeOf } from '../model/key-shape.ts'

/** A text that a program holds, and where. */
export interface Piece {
  readonly text: string
  readonly offset: number
  /** Which piece is the last of a text that was joined is a guess. */
  readonly extent?: 'uncertain' | undefined
}

/** A piece is joined with those this near to it, in the order in which the program uses them. */
const [before, behind] = [5, 3]
const keyCharacters = /^[A-Za-z0-9_-]+$/
const wordFirst = /^[a-z]+[_-]/
const placeholder = /%[-\d.]*[a-z]|\{[^{}]*\}/

/**
 * Keys whose pieces a program uses beside each other: the prefix, whole or in pieces that may be in any order, and the random
 * rest. What the program does with them is not read. So no piece belongs to two keys, and the nearest are taken.
 */
export function joinPieces(pieces: readonly Piece[], prefix: string, leastSuffix: number): Piece[] {
  return [
    ...withSpelledPrefix(pieces, prefix, leastSuffix),
    ...chunksInOrder(pieces, prefix, leastSuffix),
    ...chunksBehind(pieces, prefix, leastSuffix),
    ...replacedIn(pieces, prefix, leastSuffix),
  ]
}

/** A text that begins with the prefix and a bit of the rest, and random chunks of any length behind it. */
function chunksBehind(pieces: readonly Piece[], prefix: string, leastSuffix: number): Piece[] {
  return pieces.flatMap(({ text: first, offset }, index): Piece[] => {
    const isBegun = first.length > prefix.length && first.length < prefix.length + leastSuffix
    // A lower-case word behind the prefix makes a name.
    if (!isBegun || !first.startsWith(prefix) || !/[A-Z]|\d[a-z]/.test(first.slice(prefix.length))) return []
    const others = pieces.slice(index + 1, index + 1 + mostChunks).map(({ text }) => text)
    const end = others.findIndex((text) => !isChunk(text))
    const text = first + others.slice(0, end === -1 ? undefined : end).join('')
    // Another random text may follow the last chunk.
    return isRandom(text.slice(prefix.length), leastSuffix) ? [{ text, offset, extent: 'uncertain' }] : []
  })
}

const mostChunks = 4

function isChunk(text: string): boolean {
  return /^[A-Za-z0-9]{6,}$/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)
}

/** A text with a mark in the place of a word of the prefix, where the mark and the word are beside it. */
function replacedIn(pieces: readonly Piece[], prefix: string, leastSuffix: number): Piece[] {
  return pieces.flatMap(({ text, offset }, index) => {
    if (text.length < leastSuffix || text.length > longestKey || !text.startsWith(prefix.slice(0, sureStart)))
      return []
    const around = pieces.slice(Math.max(0, index - behind), index + 1 + behind).map((piece) => piece.text)
    const marks = around.filter((one) => one.length <= longestMark && one !== text && text.includes(one))
    const words = around.filter((one) => /[a-z0-9]|^[^a-z0-9]$/i.test(one) && prefix.includes(one))
    const made = marks.flatMap((mark) => words.map((word) => text.replaceAll(mark, word)))
    const key = made.find((one) => one.startsWith(prefix) && isRandom(one.slice(prefix.length), leastSuffix))
    return key === undefined ? [] : [{ text: key, offset }]
  })
}

const [sureStart, longestMark] = [2, 16]

function withSpelledPrefix(pieces: readonly Piece[], prefix: string, leastSuffix: number): Piece[] {
  const found = pieces.flatMap(({ text }, index) => {
    const rest = text.replace(/^[_-]/, '')
    // Keys of other kinds have a prefix as well.
    if (rest.length < leastSuffix || wordFirst.test(rest) || !isRandom(rest, leastSuffix)) return []
    if (isOfOther(pieces, index, prefix)) return []
    const spelling = spellingOf(prefix, partsAround(pieces, index, prefix))
    return spelling === null ? [] : [{ index, rest, ...spelling }]
  })
  const used = new Set<number>()
  return found
    .sort((one, other) => one.distance - other.distance)
    .flatMap(({ index, rest, parts }) => {
      if (parts.some((part) => used.has(part))) return []
      for (const part of parts) used.add(part)
      return [{ text: prefix + rest, offset: pieces[index]?.offset ?? 0 }]
    })
}

function isRandom(text: string, leastSuffix: number): boolean {
  return keyCharacters.test(text) && shapeOf(text, leastSuffix) === 'strong' && !isAlphabet(text)
}

/** Most characters are those behind the ones before them, as in what ids are made of. */
function isAlphabet(text: string): boolean {
  const behindOthers = [...text].filter(
    (_, at) => at > 0 && text.charCodeAt(at) === text.charCodeAt(at - 1) + 1,
  )
  return behindOthers.length * 2 > text.length
}

interface Part {
  readonly index: number
  readonly text: string
  readonly distance: number
}

/** Pieces around one that the prefix contains, the nearest first; of the pattern of a format, what is between its marks. */
function partsAround(pieces: readonly Piece[], index: number, prefix: string): Part[] {
  const around = [
    ...partsFrom(pieces, index, -1, prefix),
    // Code loads words in any order. A prefix behind the first text that is known is that of another.
    ...partsFrom(pieces, index, 1, prefix).filter(
      ({ text, distance }) => text !== prefix || (distance === 2 && index > 0),
    ),
  ]
  return around.sort((one, other) => one.distance - other.distance).slice(0, mostParts)
}

function partsFrom(pieces: readonly Piece[], from: number, step: 1 | -1, prefix: string): Part[] {
  const parts: Part[] = []
  for (let count = 1; count <= (step === 1 ? behind : before); count++) {
    const index = from + step * count
    const text = pieces[index]?.text
    if (text === undefined || isApart(text, prefix)) break
    for (const part of text.split(placeholder))
      if (/[a-z0-9]/i.test(part) && prefix.includes(part))
        parts.push({ index, text: part, distance: step === 1 ? 2 * count : count })
  }
  return parts
}

/** Says that a text is no piece, and that none is behind it: a sentence, another secret, or a word that the prefix does not have. */
function isApart(text: string, prefix: string): boolean {
  if (placeholder.test(text)) return text.length > longestPart
  if (/\s/.test(text) || text.length > shortestRest) return true
  return /^[a-z_-]{3,16}$/.test(text) && /[a-z]/.test(text) && !prefix.includes(text)
}

/** The prefix of other keys is nearest to a piece. */
function isOfOther(pieces: readonly Piece[], index: number, prefix: string): boolean {
  return [-1, -2, 1].some((distance) => {
    const text = pieces[index + distance]?.text ?? ''
    return otherPrefix.test(text) && !prefix.includes(text)
  })
}

const otherPrefix = /^[a-z]{2,8}[_-](?:[a-z]{3,8}[_-])?$/

const longestPart = 64
const shortestRest = 15
/** They are tried in every order. */
const mostParts = 8

/** How parts spell the prefix, where a separator may be missing; `null` where they do not. */
function spellingOf(
  prefix: string,
  parts: readonly Part[],
  from = 0,
): { parts: number[]; distance: number } | null {
  if (from === prefix.length) return { parts: [], distance: 0 }
  for (const [at, { text, index, distance }] of parts.entries()) {
    if (!prefix.startsWith(text, from)) continue
    const rest = spellingOf(prefix, parts.toSpliced(at, 1), from + text.length)
    if (rest !== null) return { parts: [index, ...rest.parts], distance: distance + rest.distance }
  }
  const isSeparator = from > 0 && /[^A-Za-z0-9]/.test(prefix[from] ?? '')
  return isSeparator ? spellingOf(prefix, parts, from + 1) : null
}

const [leastChunks, shortestChunk] = [3, 2]

/** Chunks of one length, of which only the last is shorter. */
function chunksInOrder(pieces: readonly Piece[], prefix: string, leastSuffix: number): Piece[] {
  return pieces.flatMap(({ text: first, offset }, index): Piece[] => {
    const isStart =
      prefix.startsWith(first) || (first.startsWith(prefix) && first.length < prefix.length + leastSuffix)
    if (!isStart || first.length < shortestChunk) return []
    let text = first
    let last = first
    let count = 1
    for (let at = index + 1; at < pieces.length; at++) {
      const next = pieces[at]?.text ?? ''
      if (next.length > first.length || !keyCharacters.test(next)) break
      text += next
      last = next
      count += 1
      if (next.length < first.length || text.length > longestKey) break
    }
    const isKey =
      count >= leastChunks && text.startsWith(prefix) && isRandom(text.slice(prefix.length), leastSuffix)
    // A short word behind the chunks may be another text.
    const isGuess = text.length > longestKey || (last.length < first.length && isWord.test(last))
    return isKey ? [{ text, offset, extent: isGuess ? 'uncertain' : undefined }] : []
  })
}

const isWord = /^(?:[a-z_-]+|[A-Z_-]+|\d+)$/

const longestKey = 520

export const separators = /[^A-Za-z0-9]+/

/** The word of a prefix that other texts have the least. */
export function longestWordIn(prefix: string): string {
  return prefix.split(separators).sort((one, other) => other.length - one.length)[0] ?? prefix
}
