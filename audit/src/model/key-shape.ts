import { mintContract } from '../../../src/contract/mint.ts'
import { speechBits } from './letter-pairs.ts'
import { isNameWithDigits, isUuid } from './name-shape.ts'
import { isPronounceable, isSpelled, wordCover } from './pronounceability.ts'

export const { prefix: defaultPrefix } = mintContract.key

/** How much a string that begins with the prefix looks like a key. */
export type KeyShape = 'strong' | 'weak' | 'identifier' | 'bare'

/** How many characters a key has after its prefix at least, where nothing else is said. */
export const defaultLeastSuffix = 16
const strongRun = 12
/** Bits a character: of a hundred thousand random hexadecimal keys hardly one has less. */
const strongBits = 2.15
const mixedBits = 2.6
const longNumber = 20
const weakSuffix = 6
/** Bits that speak for words, of one case and in camel case. Hardly one name in a thousand has fewer. */
const [noSpeech, noCamelCase] = [-6, 0]
/** A word of one case is shorter, unless it sounds like one. */
const longestWord = 12

/** The specification gives only the prefix of a key; what follows is judged by how random it is. */
export function shapeOf(suffix: string, least: number = defaultLeastSuffix): KeyShape {
  if (/^[_-]*$/.test(suffix)) return 'bare'
  if (isPlaceholder(suffix)) return 'identifier'
  // Some services make keys of them, and others ids: nothing tells which.
  if (isUuid(suffix)) return 'weak'
  if (/\d/.test(suffix) && isNameWithDigits(suffix)) return 'identifier'
  if (isStrong(suffix, least)) return 'strong'
  if (isIdentifier(suffix) || (isSpelled(suffix) && suffix.length >= least)) return 'identifier'
  return suffix.length >= weakSuffix ? 'weak' : 'identifier'
}

function isStrong(suffix: string, least: number): boolean {
  if (suffix.length < least) return false
  if (isScattered(suffix)) return true
  if (isSpelled(suffix)) return false
  if (/^\d+$/.test(suffix)) return suffix.length >= longNumber && entropy(suffix) >= strongBits
  if (!/\d/.test(suffix)) return isUnpronounceable(suffix)
  const bits = entropy(suffix)
  if (bits < strongBits) return false
  // A run that is broken by `_` or `-` may still be random: then it has to be long and varied.
  if (
    longestRun(suffix) < Math.min(strongRun, least) &&
    (bits < 3.3 || wordCover(suffix) >= (isMixed(suffix) ? 0.4 : 0.3))
  )
    return false
  return !isIdentifier(suffix) && wordCover(suffix) < 0.5
}

function isMixed(suffix: string): boolean {
  return /[a-z]/.test(suffix) && /[A-Z]/.test(suffix)
}

/** Capitals, small letters and digits that change places faster than in any sequence of words. */
function isScattered(suffix: string): boolean {
  if (!isMixed(suffix)) return false
  const pieces = suffix.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []
  const longest = /\d/.test(suffix) || isPronounceable(suffix) ? 2.7 : 3.5
  return pieces.join('').length / pieces.length < longest && entropy(suffix) >= mixedBits
}

/** Words of one case joined by `_` or `-`, with digits only at the end of a word; or a placeholder. */
function isIdentifier(suffix: string): boolean {
  if (/^(.)\1*$/.test(suffix)) return true
  const parts = suffix.split(/[_-]+/).filter((part) => part !== '')
  const lower = parts.every((part) => /^[a-z]+\d{0,3}$|^\d{1,3}$/.test(part))
  const upper = parts.every((part) => /^[A-Z]+\d{0,3}$|^\d{1,3}$/.test(part))
  if ((lower || upper) && parts.every(isWordLike)) return true
  return /^[A-Za-z_-]+\d{0,3}$/.test(suffix) && wordCover(suffix) >= 0.5
}

function isWordLike(part: string): boolean {
  if (part.length <= longestWord) return true
  return wordCover(part) >= 0.5 || isPronounceable(part)
}

function longestRun(text: string): number {
  return Math.max(...text.split(/[_-]/).map((run) => run.length))
}

/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Letters alone, as no language puts them together: of those that only might be words, a warning has to do. */
function isUnpronounceable(suffix: string): boolean {
  const isCamel = isMixed(suffix)
  if (!isCamel && longestRun(suffix) < strongRun) return false
  const isNoSpeech = speechBits(suffix) < (isCamel ? noCamelCase : noSpeech)
  return isNoSpeech && entropy(suffix) >= mixedBits && !isIdentifier(suffix)
}

/** Rows in which people type keys that are none: in order, in either direction. */
const rows = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '0123456789abcdef',
  '1234567890',
]
const follows = new Set(
  rows.flatMap((row) => [...row].slice(1).flatMap((char, at) => [`${row[at]}${char}`, `${char}${row[at]}`])),
)
const leastRun = 5
/** Longer texts are no placeholders: each look costs the square of a length. */
const longest = 200
/** Digits alone follow each other by chance, too. */
const leastRunOfDigits = 6
/** A part of a placeholder that is in no order, such as a digit at its end. */
const mostOther = 0.25
const words =
  /(?:your|my|the|some|insert|enter|put|add|api|app|server|secret|private|access|live|test|prod|key|token|here|goes|example|sample|dummy|fake|demo|mock|placeholder|changeme|change|replace|redacted|hidden|todo|foo|bar|baz|xxx+|value|abc|me|with|this)/g

/**
 * Says whether a text was typed to stand for a key: runs of the alphabet, of digits or of a row of keys, a short piece again
 * and again, words that say so. Each of these is an order that random characters do not have.
 */
export function isPlaceholder(suffix: string): boolean {
  const text = suffix.toLowerCase().replace(/[_-]/g, '')
  if (text.length < leastRun || text.length > longest) return false
  if (isRepeated(text)) return true
  const ordered = new Uint8Array(text.length)
  const least = /^\d+$/.test(text) ? leastRunOfDigits : leastRun
  for (const stride of [1, 2]) markRuns(text, stride, least, ordered)
  const inOrder = ordered.reduce((sum, one) => sum + one, 0)
  // Words count only between runs in order, or where they are all that there is: by themselves they are names.
  for (const { 0: word, index } of text.matchAll(words)) ordered.fill(1, index, index + word.length)
  const covered = ordered.reduce((sum, one) => sum + one, 0)
  const other = text.length - covered
  return other === 0 || (other <= mostOther * text.length && 2 * inOrder >= text.length)
}

/** A piece again and again, at least twice and a half; a short one twice. */
function isRepeated(text: string): boolean {
  for (let period = 1; period * 2 <= text.length; period++) {
    const isOften = period * 2.5 <= text.length || (period * 2 === text.length && period <= 8)
    if (isOften && text.slice(period) === text.slice(0, -period)) return true
  }
  return false
}

/** Marks runs of characters that follow each other, or are the same; with a stride of 2 every other one: `a1b2c3`. */
function markRuns(text: string, stride: number, least: number, ordered: Uint8Array): void {
  for (let from = 0; from < text.length; ) {
    let to = from
    while (to + stride < text.length && isNext(text, to, stride)) to += 1
    const length = to - from + stride
    if (length >= least * stride) ordered.fill(1, from, from + length)
    from = Math.max(to, from + 1)
  }
}

function isNext(text: string, at: number, stride: number): boolean {
  const pair = (text[at] ?? '') + (text[at + stride] ?? '')
  return pair[0] === pair[1] || follows.has(pair)
}
