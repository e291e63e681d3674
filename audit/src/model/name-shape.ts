import { speechBits } from './letter-pairs.ts'
import { isPronounceable, letterPieces } from './pronounceability.ts'
import { words } from './words.ts'

/** `8-4-4-4-12` digits: the usual id of a thing. */
const uuid = /(?<![^_-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![^_-])/gi

const day = '(?:19|20)\\d\\d[_-]?(?:0[1-9]|1[0-2])[_-]?(?:0[1-9]|[12]\\d|3[01])'
const time = '(?:[01]\\d|2[0-3])[_-]?[0-5]\\d[_-]?[0-5]\\d(?:[_-]?\\d{3}(?:\\d{3}){0,2})?Z?'
/** A quarter, a half or a week of a year. */
const period = '(?:19|20)\\d\\d[_-]?(?:[qQ][1-4]|[hH][12]|[wW][0-5]\\d)'
const sinceEpoch = '1[5-9]\\d{8}(?:\\d{3}){0,2}'
/** A day, perhaps with a time; a period of a year; or seconds, milliseconds or microseconds since 1970, from 2017 to 2033. */
const moment = new RegExp(`(?<![^_-])(?:${day}(?:[T_-]?${time})?|${period}|${sinceEpoch})(?![^_-])`, 'g')

/** Beside a UUID or a time, letters of one case are a word. */
const anyWord = /^(?:[a-z]{1,12}|[A-Z]{1,12})$/

/** A number with a unit, or a codec. */
const quantity =
  /^(?:\d{1,5}(?:[pi]\d{0,3}|x\d{1,5}|bit|fps|k?hz|[km]bps|px|dp|ms|ch|[kmgt]b|[km])|[hx]26[456]|vp[89]|av1|avc1?|hevc|aac|opus|hdr(?:10)?)$/i

/** Letters and digits that have to be words or quantities before other parts are taken for designations. */
const leastKnown = 4
const longestDesignation = 7
/**
 * Patterns of the hash that a bundler puts behind a name. Behind a doubled mark, as in CSS modules, it is
 * longer.
 */
const hashes = [/(?:__|--)[A-Za-z0-9_-]{4,12}$/, /[_-][A-Za-z0-9_-]{4,8}(?:_\d{1,4})?$/]

/** Says whether a text is a UUID and nothing else. */
export function isUuid(text: string): boolean {
  return text.replace(uuid, '') === '' && text !== ''
}

/**
 * Says whether a text is a name with digits: words, numbers and designations such as `h265` or `c5`. It may
 * end with the short hash of a bundler. It may also be a UUID or a time, perhaps beside words. A key has more
 * random characters than these.
 */
export function isNameWithDigits(text: string): boolean {
  const rest = text.replace(uuid, '').replace(moment, '')
  if (rest !== text && partsOf(rest).every((part) => anyWord.test(part) || isNamePart(part))) return true
  return (
    isNamed(text, isNamePart) || hashes.some((hash) => hash.test(text) && isWords(text.replace(hash, '')))
  )
}

/** Says whether a text is a name and a hash of any length, as before the extension of bundled files. */
export function isHashedName(text: string): boolean {
  return isNameWithDigits(text) || isWords(text.replace(/[_-][0-9A-Za-z]+$/, ''))
}

function isWords(text: string): boolean {
  return isNamed(
    text,
    (part) => quantity.test(part) || (isNamePart(part) && letterPieces(part).every(isWord)),
  )
}

/** A quantity tells as much as a word of two letters: random groups of four are some, too. */
function isNamed(text: string, isPart: (part: string) => boolean): boolean {
  const parts = partsOf(text)
  const known = parts.flatMap((part) => (quantity.test(part) ? '1k' : letterPieces(part).filter(isKnown)))
  return known.join('').length >= leastKnown && parts.every(isPart)
}

function partsOf(text: string): string[] {
  return text.split(/[_-]+/).filter((part) => part !== '')
}

function isKnown(piece: string): boolean {
  return isSumOfWords(piece.toLowerCase()) || (piece.length >= 6 && isPronounceable(piece))
}

/** Says whether a text consists of words, even without a mark between them. */
function isSumOfWords(text: string): boolean {
  const isReached = [true]
  for (let from = 0; from < text.length; from++)
    for (let to = from + 3; isReached[from] === true && to <= text.length; to++)
      isReached[to] ||= words.has(text.slice(from, to))
  return isReached[text.length] === true
}

/** Words with few numbers between them, or a short designation. */
function isNamePart(part: string): boolean {
  if (/^\d{1,4}$/.test(part) || quantity.test(part)) return true
  const letters = letterPieces(part)
  const numbers = part.match(/\d+/g) ?? []
  if (numbers.some((number) => number.length > 4)) return false
  if (letters.length > 0 && letters.every(isWord)) return numbers.length <= letters.length
  const isShort = letters.every((piece) => piece.length <= 3 || isWord(piece))
  return isShort && part.length <= longestDesignation && letters.length + numbers.length <= 3
}

/** The least bits of a word. Some fifty of a thousand random groups of four letters or more have as many. */
const leastBits = 1.5

function isWord(piece: string): boolean {
  return isKnown(piece) || (piece.length > 3 && speechBits(piece) >= leastBits)
}
