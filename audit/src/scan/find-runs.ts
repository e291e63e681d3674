import { classes, createRunFinder, type RunFinder, type Runs } from './kernel/runs.ts'
import { classOf, endsOfStretches, endsOfWideStretches, type Stretch } from './stretches.ts'

/** A key in two encodings, or under a mask, is at least as long. */
export const leastDigits = 40

/** Characters of base64, hex and escapes. */
export const isDigit = classOf(/[A-Za-z0-9+/_=\\%&#;-]/)
export const isHexDigit = classOf(/[0-9a-fA-F]/)
export const isBase64 = classOf(/[A-Za-z0-9+/_-]/)
const isOfList = classOf(/[\da-fA-FxX,\s-]/)
const isEscape = classOf(/[%\\&]/)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The value of each character in base64. */
export const sextets = Uint8Array.from({ length: 256 }, (_, code) => {
  const char = { '-': '+', _: '/' }[String.fromCharCode(code)] ?? String.fromCharCode(code)
  return Math.max(0, alphabet.indexOf(char))
})

const ofBytes = isDigit.map((digit, byte) => {
  const has = (members: Uint8Array, bit: number) => (members[byte] === 1 ? bit : 0)
  const ofDecoder =
    has(isEscape, classes.escapes) | has(isHexDigit, classes.hex) | has(isBase64, classes.base64)
  return (digit === 1 ? classes.digits : 0) | has(isOfList, classes.lists) | ofDecoder
})

let finder: RunFinder | undefined

/** @param isNarrow the bytes are text, and not in UTF-16 */
export function findRuns(bytes: Buffer, isNarrow: boolean): Runs {
  finder ??= createRunFinder({ classes: ofBytes, sextets }) ?? findAllRuns
  return finder(bytes, isNarrow)
}

/** The same without the kernel: every stretch is looked at closer. */
export const findAllRuns: RunFinder = (bytes, isNarrow) => ({
  digits: worthLook(endsOfStretches(bytes, isDigit, leastDigits)),
  wide: isNarrow ? [] : worthLook(endsOfWideStretches(bytes, isDigit, leastDigits)),
  lists: worthLook(endsOfStretches(bytes, isOfList, leastDigits)),
})

function worthLook(ends: readonly number[]): number[] {
  return ends.flatMap((end, at) => (at % 2 === 0 ? [end] : [end, 1]))
}

export function* runsIn(runs: readonly number[]): Generator<Stretch & { readonly isWorth: boolean }> {
  for (let at = 0; at < runs.length; at += 3)
    yield { start: runs[at] as number, end: runs[at + 1] as number, isWorth: runs[at + 2] === 1 }
}

export function* stretchesIn(ends: readonly number[]): Generator<Stretch> {
  for (let at = 0; at < ends.length; at += 2) yield { start: ends[at] as number, end: ends[at + 1] as number }
}
