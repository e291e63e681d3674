import { classOf, type Stretch, stretchesOf, wideStretchesOf } from './stretches.ts'

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
  /** Where two bytes are as at the beginning of compressed data. */
  readonly heads: readonly number[]
}

export function findRuns(bytes: Buffer): LongRuns {
  return {
    digits: flat(stretchesOf(bytes, isDigit, leastDigits)),
    wide: flat(wideStretchesOf(bytes, isDigit, leastDigits)),
    lists: flat(stretchesOf(bytes, isOfList, leastDigits)),
    heads: headsIn(bytes),
  }
}

/** First two bytes of zlib at its four usual levels, of gzip and of zstd. */
const heads = ['7801', '785e', '789c', '78da', '1f8b', '28b5'].map((head) => Buffer.from(head, 'hex'))

function headsIn(bytes: Buffer): number[] {
  const found: number[] = []
  for (const head of heads)
    for (let at = bytes.indexOf(head); at !== -1; at = bytes.indexOf(head, at + 1)) found.push(at)
  return found.sort((a, b) => a - b)
}

export function* stretchesIn(runs: readonly number[]): Generator<Stretch> {
  for (let at = 0; at < runs.length; at += 2) yield { start: runs[at] as number, end: runs[at + 1] as number }
}

function flat(stretches: Iterable<Stretch>): number[] {
  const ends: number[] = []
  for (const { start, end } of stretches) ends.push(start, end)
  return ends
}
