import { words } from './words.ts'

export const defaultPrefix = 'ac_live_'

/** How much a string that begins with the prefix looks like a key. */
export type KeyShape = 'strong' | 'weak' | 'identifier' | 'bare'

/** How many characters a key has after its prefix at least, where nothing else is said. */
export const defaultLeastSuffix = 16
const strongRun = 12
/** Bits a character: sixteen random hexadecimal digits have more. */
const strongBits = 2.5
const numberBits = 2.5
const longNumber = 20
const weakSuffix = 6

/** The specification gives only the prefix of a key; what follows is judged by how random it is. */
export function shapeOf(suffix: string, least: number = defaultLeastSuffix): KeyShape {
  if (/^[_-]*$/.test(suffix)) return 'bare'
  if (isStrong(suffix, least)) return 'strong'
  if (isIdentifier(suffix) || (isSpelled(suffix) && suffix.length >= least)) return 'identifier'
  return suffix.length >= weakSuffix ? 'weak' : 'identifier'
}

function isStrong(suffix: string, least: number): boolean {
  if (suffix.length < least || isSpelled(suffix)) return false
  if (/^\d+$/.test(suffix)) return suffix.length >= longNumber && entropy(suffix) >= numberBits
  if (!/\d/.test(suffix) && !(/[a-z]/.test(suffix) && /[A-Z]/.test(suffix))) return isUnpronounceable(suffix)
  const bits = entropy(suffix)
  if (bits < strongBits) return false
  // A run that is broken by `_` or `-` may still be random: then it has to be long and varied.
  if (longestRun(suffix) < Math.min(strongRun, least) && (bits < 3.5 || wordCover(suffix) >= 0.3))
    return false
  return !isIdentifier(suffix) && wordCover(suffix) < 0.5
}

/** Words in any language, with few numbers between them: long pieces of one case, built as speech is. */
function isSpelled(suffix: string): boolean {
  if (/[0-9a-f]{16}|[0-9A-F]{16}/.test(suffix) && /\d/.test(suffix)) return false
  const pieces = suffix.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  const letters = pieces.join('')
  const isJoined = /[_-]/.test(suffix) || (/[a-z]/.test(suffix) && /[A-Z]/.test(suffix))
  const numbers = suffix.match(/\d+/g)?.length ?? 0
  if (letters.length < 8 || numbers > (isJoined ? 3 : 1) || letters.length / pieces.length < 4) return false
  const vowels = shareOf(letters, /[aeiouy]/gi)
  const isSpeech = vowels >= 0.3 && vowels <= 0.6 && shareOf(letters, /[jkqvwxz]/gi) <= 0.15
  return isSpeech && !pieces.some((piece) => /[^aeiouy]{6}|[aeiouy]{4}|q[^u]/i.test(piece))
}

function shareOf(text: string, chars: RegExp): number {
  return (text.match(chars)?.length ?? 0) / text.length
}

/** Words of one case joined by `_` or `-`, with digits only at the end of a word; or a placeholder. */
function isIdentifier(suffix: string): boolean {
  if (/^(.)\1*$/.test(suffix)) return true
  const parts = suffix.split(/[_-]+/).filter((part) => part !== '')
  const lower = parts.every((part) => /^[a-z]+\d{0,3}$|^\d{1,3}$/.test(part))
  const upper = parts.every((part) => /^[A-Z]+\d{0,3}$|^\d{1,3}$/.test(part))
  const longest = Math.max(...parts.map((part) => part.length))
  if ((lower || upper) && longest < 20) return true
  return /^[A-Za-z_-]+\d{0,3}$/.test(suffix) && wordCover(suffix) >= 0.5
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

/** The share of the letters and digits that words of three letters and more account for. */
function wordCover(text: string): number {
  const pieces = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const covered = pieces.reduce((sum, piece) => sum + longestWords(piece.toLowerCase()), 0)
  return total === 0 ? 0 : covered / total
}

function longestWords(piece: string): number {
  let covered = 0
  for (let at = 0; at < piece.length; ) {
    let taken = 0
    for (let length = Math.min(14, piece.length - at); length >= 3; length--)
      if (words.has(piece.slice(at, at + length))) {
        taken = length
        break
      }
    covered += taken
    at += Math.max(1, taken)
  }
  return covered
}

/** Letters of one case, as no language puts them together. */
function isUnpronounceable(suffix: string): boolean {
  return longestRun(suffix) >= strongRun && entropy(suffix) >= strongBits && wordCover(suffix) < 0.3
}
