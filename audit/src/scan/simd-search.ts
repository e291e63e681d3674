import { escapeOf } from './escapes.ts'
import { createMarker, type Differences, type Pattern, xorBucket } from './kernel/marker.ts'
import { type Form, markLength, type Needle } from './needles.ts'
import { startsAt, xorKeyAt } from './scalar-search.ts'
import type { Searcher } from './search.ts'

/** A needle, and how far into it those of its bytes begin that are looked for. */
interface Marked {
  readonly needle: Needle
  readonly back: number
}

const backslash = 5
const percentOrEntity = 6
const escapes = (1 << backslash) | (1 << percentOrEntity)

/** `null` where the platform has no SIMD, or where a needle is too short for it. */
export function createSimdSearcher(needles: readonly Needle[], prefix: string): Searcher | null {
  if (needles.some(({ bytes }) => bytes.length < markLength)) return null
  const patterns: Pattern[] = [...escapePatterns]
  const byWord = new Map<number, Marked[]>()
  for (const needle of needles) {
    const back = rarestPart(needle)
    const word = needle.bytes.readUInt32LE(back)
    const alike = byWord.get(word) ?? []
    const part = needle.bytes.subarray(back, back + markLength)
    if (alike.length === 0)
      patterns.push({ bucket: bucketOf(needle), classes: [...part].map((byte) => [byte]) })
    byWord.set(word, [...alike, { needle, back }])
  }
  const letters = Buffer.from(prefix)
  const { back: xorBack, differences } = rarestDifferences(letters)
  const mark = createMarker(patterns, differences)
  if (mark === null) return null
  const isEscape = escapeOf(prefix)
  return {
    search(bytes, hits) {
      mark(bytes, (offset, word, buckets) => {
        if ((buckets & xorBucket) !== 0) {
          const key = xorKeyAt(bytes, offset - xorBack, letters)
          if (key !== 0) hits.xored(offset - xorBack, key)
        }
        if ((buckets & escapes) !== 0 && isEscape(bytes, offset)) hits.escape(offset)
        const marked = byWord.get(word)
        if (marked === undefined) return
        for (const { needle, back } of marked)
          if (startsAt(bytes, offset - back, needle.bytes)) hits.needle(offset - back, needle)
      })
    },
  }
}

/** Needles that begin alike share a bucket, so that few other texts pass its tables: text in UTF-16 passes most easily. */
function bucketOf({ form, view }: Needle): number {
  return view === 'utf-8' ? narrow[form] : wide[form]
}

type Buckets = Readonly<Record<Form, number>>

const narrow: Buckets = {
  plain: 0,
  reversed: 0,
  'mint-path': 1,
  base64: 2,
  hex: 2,
  jwt: 2,
  escaped: backslash,
}
const wide: Buckets = {
  plain: 3,
  reversed: 3,
  'mint-path': 4,
  escaped: 4,
  base64: 7,
  hex: 7,
  jwt: 7,
}

/** How an escape can begin, byte by byte. */
const digits = '0123456789'
const hexDigits = `${digits}abcdefABCDEF`
const escapePatterns: readonly Pattern[] = [
  { bucket: backslash, classes: ['\\', `xuXU${digits}`, `{${hexDigits}`, any()].map(codes) },
  { bucket: percentOrEntity, classes: ['%&', `#${digits}`, `xX${hexDigits}`, any()].map(codes) },
]

function any(): string {
  return Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')
}

function codes(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}

/** The four bytes of a needle that other data is least likely to hold; of UTF-16, two characters and no zero first. */
function rarestPart({ bytes, form, view }: Needle): number {
  const first = view === 'utf-16be' ? 1 : 0
  if (form === 'escaped' || form === 'jwt') return first
  const step = view === 'utf-8' ? 1 : 2
  let best = first
  let least = markLength + 1
  for (let at = first; at + markLength <= bytes.length && least > 0; at += step) {
    const common = commonness(bytes, at)
    if (common >= least) continue
    best = at
    least = common
  }
  return best
}

/** Lower-case letters are in every text. */
function commonness(bytes: Uint8Array, start: number): number {
  let common = 0
  for (let at = start; at < start + markLength; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x61 && byte <= 0x7a) common += 1
  }
  return common
}

/** Three differences between neighbours in the prefix, none of them 0 where that can be had. */
function rarestDifferences(prefix: Buffer): { back: number; differences: Differences } {
  const all = Array.from(prefix.subarray(1), (byte, at) => byte ^ (prefix[at] ?? 0))
  const rank = (at: number) => all.slice(at, at + 3).reduce((sum, value) => sum + (value < 0x20 ? 1 : 0), 0)
  let back = 0
  for (let at = 1; at + 3 <= all.length; at++) if (rank(at) < rank(back)) back = at
  const [d0 = 0, d1 = 0, d2 = 0] = all.slice(back, back + 3)
  return { back, differences: [d0, d1, d2] }
}
