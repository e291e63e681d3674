import { mintContract } from '../../../src/contract/mint.ts'
import { speechBits } from './letter-pairs.ts'
import { isNameWithDigits, isUuid } from './name-shape.ts'
import { isPlaceholder } from './placeholder.ts'
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
