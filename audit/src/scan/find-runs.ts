import { classOf, endsOfStretches, endsOfWideStretches, type Stretch } from './stretches.ts'

/** A key in two encodings, or under a mask, is at least as long. */
export const leastDigits = 40

/** Characters of base64, hex and escapes. */
export const isDigit = classOf(/[A-Za-z0-9+/_=\\%&#;-]/)
const isOfList = classOf(/[\da-fA-FxX,\s-]/)

/** Long stretches that may be values, as starts and ends in turns. */
export interface LongRuns {
  readonly digits: readonly number[]
  /** Digits in UTF-16LE. */
  readonly wide: readonly number[]
  /** Numbers and what separates them. */
  readonly lists: readonly number[]
}

/** @param isNarrow the bytes are text, and not in UTF-16 */
export function findRuns(bytes: Buffer, isNarrow = false): LongRuns {
  return {
    digits: endsOfStretches(bytes, isDigit, leastDigits),
    wide: isNarrow ? [] : endsOfWideStretches(bytes, isDigit, leastDigits),
    lists: endsOfStretches(bytes, isOfList, leastDigits),
  }
}

export function* stretchesIn(ends: readonly number[]): Generator<Stretch> {
  for (let at = 0; at < ends.length; at += 2) yield { start: ends[at] as number, end: ends[at + 1] as number }
}
