import { literally } from './spelling.ts'

/** Signs of a text that is made of codes, of numbers or of places in an alphabet, or whose characters change places. */
export const decoding =
  /fromCharCode|fromCodePoint|TextDecoder|Buffer\.from|abcdefghij|ABCDEFGHIJ|\$2\$1|[dD]ecompress\w{0,24}\(/
const everyDecoding = new RegExp(decoding.source, 'g')
export const marksOfDecoding = ['mCha', 'mCod', 'xtDe', 'r.fr', 'cdef', 'CDEF', '$2$1', 'comp']

/** Literals and lists this near to a decoding may be what is decoded. */
const near = 2_000
const mostDecodings = 64
const mostLiterals = 500

/** The quote that ends one is looked at again: code between two others is as long. In an eval build it has a backslash. */
const literal = /(["'`])(?=([^\n\\"'`]{24,400})\\?\1)/g
const numberList = /\[([-+.,\s\dxXa-fA-F]{24,2400})\]/g

/** Texts and lists of numbers of a script that may be an encoded key, by the places where they begin. */
export interface RandomLiterals {
  readonly texts: ReadonlySet<number>
  readonly lists: ReadonlySet<number>
}

/** Finds the random texts and numbers of a script near what decodes some. */
export function randomLiteralsIn(script: string): RandomLiterals {
  const [texts, lists] = [new Set<number>(), new Set<number>()]
  for (const { from, to } of stretchesIn(script)) {
    const part = script.slice(from, to)
    for (const { index, 2: text = '' } of part.matchAll(literal)) {
      if (texts.size >= mostLiterals) break
      if (isRandom(text)) texts.add(from + index)
    }
    for (const { index, 1: items = '' } of part.matchAll(numberList)) {
      if (lists.size >= mostLiterals) break
      if (areUneven(items.split(',').map(Number))) lists.add(from + index)
    }
  }
  return { texts, lists }
}

/** Gives what is near the places where a script decodes something, each character once. */
function* stretchesIn(script: string): Generator<{ readonly from: number; readonly to: number }> {
  let stretch: { from: number; to: number } | null = null
  let count = 0
  for (const { index } of script.matchAll(everyDecoding)) {
    if (++count > mostDecodings) break
    const [from, to] = [Math.max(0, index - near), Math.min(script.length, index + near)]
    if (stretch !== null && from <= stretch.to) stretch.to = to
    else {
      if (stretch !== null) yield stretch
      stretch = { from, to }
    }
  }
  if (stretch !== null) yield stretch
}

const leastChanges = 0.3
/** Hexadecimal, or base32: one without a digit of it is a word. */
const ofOneCase = /^(?:(?:[0-9a-fA-F]{2}){24,200}|(?=[A-Z]{0,40}[2-7])[A-Z2-7]{38,400}={0,6})$/
const separated = /^[0-9a-zA-Z]{1,9}(?:([^\w"'`\\])[0-9a-zA-Z]{1,9}){13,}$/
/** Characters of a key, and of what is put between or in place of them; not those of code. */
const ofSecret = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+/=~.:@#%^&*!|-]+$/
const uuid = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/i

/** Says whether a text is no word, sentence, address or alphabet: small, large letters and digits take turns. */
function isRandom(text: string): boolean {
  if (ofOneCase.test(text)) return true
  if (uuid.test(text)) return false
  const parting = separated.exec(text)?.[1]
  if (parting !== undefined) return areCodes(text.split(parting))
  if (!ofSecret.test(text) || text.includes('://') || new Set(text).size === text.length) return false
  return isMixed(text)
}

/** Says whether small, large letters and digits take turns in a text. */
function isMixed(text: string): boolean {
  const kinds = [...text].map(kindOf)
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length
  return changes >= text.length * leastChanges
}

const fewestBehind = 20

/** A literal that is the last mark of a prefix with the random part of a key, as minifiers join them; the rest may be computed. */
export interface RandomEnd {
  readonly sign: RegExp
  is(text: string): boolean
}

const made = new Map<string, RandomEnd | null>()

/** `null` for a prefix that ends in no mark. */
export function randomEndOf(prefix: string): RandomEnd | null {
  const last = prefix.at(-1) ?? ''
  const known = made.get(prefix)
  if (known !== undefined) return known
  const behind = `${literally(last)}[A-Za-z0-9]{${fewestBehind},64}`
  const whole = new RegExp(`^${behind}$`)
  const end = {
    sign: new RegExp(`["'\`}]${behind}["'\`$]`),
    is: (text: string) => whole.test(text) && ofSecret.test(text) && isMixed(text),
  }
  const found = /[a-z0-9]/i.test(last) || prefix.length < 2 ? null : end
  made.set(prefix, found)
  return found
}

/** Says whether texts may be numbers to one base, of about the same length. */
function areCodes(items: readonly string[]): boolean {
  const lengths = new Set(items.map(({ length }) => length))
  return lengths.size <= 3 && items.every((item) => /^[0-9a-z]+$/i.test(item)) && new Set(items).size >= 8
}

function kindOf(char: string): number {
  if (char >= 'a' && char <= 'z') return 0
  if (char >= 'A' && char <= 'Z') return 1
  return char >= '0' && char <= '9' ? 2 : 3
}

const fewestCodes = 14
/** A key of 24 characters, four in each; hash functions have lists of four and five. */
const fewestWords = 6
const mostNumbers = 200
const largestCode = 0xffff

/** Says whether numbers go up and down without order; few of them only where each holds several characters. */
function areUneven(numbers: readonly number[]): boolean {
  const { length } = numbers
  if (length < fewestWords || length > mostNumbers || !numbers.every(Number.isFinite)) return false
  if (length < fewestCodes && !numbers.some((number) => Math.abs(number) > largestCode)) return false
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0))
  if (isOrder(numbers)) return false
  const rising = steps.filter((step) => step > 0).length
  const falling = steps.filter((step) => step < 0).length
  return Math.min(rising, falling) * 4 >= steps.length && new Set(numbers).size >= Math.min(8, length)
}

/** Says whether numbers are each of a range once: an order of places, as decompressors have. */
function isOrder(numbers: readonly number[]): boolean {
  return (
    new Set(numbers).size === numbers.length &&
    Math.max(...numbers) - Math.min(...numbers) === numbers.length - 1
  )
}

const base64 = /["'`]([A-Za-z0-9+/_-]{40,8192}={0,2})["'`]/g
const mostEncoded = 200
export const decodingBase64 = /\batob\b|base64/

/** Finds the literals that are base64 of a script, by the places where they begin. */
export function encodedScriptsIn(script: string, isWorth: (text: string) => boolean): ReadonlySet<number> {
  const found = new Set<number>()
  if (!decodingBase64.test(script)) return found
  let count = 0
  for (const { index, 1: encoded = '' } of script.matchAll(base64)) {
    if (++count > mostEncoded) break
    const text = Buffer.from(encoded, 'base64').toString('latin1')
    if (/^[\t\n\r\x20-\x7e]+$/.test(text) && isWorth(text)) found.add(index)
  }
  return found
}
