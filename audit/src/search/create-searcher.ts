import { hex, plain, reversed } from './encodings.ts'
import { escapeOf } from './escapes.ts'
import { createMarker, type Differences, type Pattern, xorBucket } from './kernel/marker.ts'
import { markLength, type Needle } from './needles.ts'
import type { Searcher } from './scan-context.ts'

/** A needle, and how far into it those of its bytes begin that are looked for. */
interface Marked {
  readonly needle: Needle
  readonly back: number
}

const backslash = 5
const percentOrEntity = 6
const escapes = (1 << backslash) | (1 << percentOrEntity)

/** @throws AuditError where the platform has no SIMD */
export function createSearcher(needles: readonly Needle[], prefix: string): Searcher {
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
function bucketOf({ wanted, view, encoding, bytes }: Needle): number {
  const isNarrow = view === 'utf-8'
  const isPlain = encoding === plain
  if (wanted === 'piece') return 0
  if (wanted === 'map' || wanted === 'obfuscator') return 1
  if (wanted === 'mint-path' && isPlain) return isNarrow ? 1 : 3
  if (wanted === 'key' && (isPlain || encoding === reversed)) return isNarrow ? 0 : 3
  if (!isNarrow) return 7
  if (bytes[0] === 0x5c) return backslash
  return encoding === hex || isDigit(bytes[0]) ? 4 : 2
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39
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
function rarestPart({ bytes, wanted, view }: Needle): number {
  const step = { 'utf-8': 1, 'utf-16le': 2, 'utf-16be': 2, 'utf-32le': 4 }[view]
  const first = view === 'utf-16be' ? 1 : 0
  if (wanted === 'jwt') return first
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

/** Lower-case letters are in every text, and lists of numbers in many. */
function commonness(bytes: Uint8Array, start: number): number {
  let common = 0
  for (let at = start; at < start + markLength; at++) {
    const byte = bytes[at] ?? 0
    if ((byte >= 0x61 && byte <= 0x7a) || isDigit(byte) || byte === 0x2c || byte === 0x20) common += 1
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

function startsAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  if (start < 0 || start + needle.length > bytes.length) return false
  for (let at = 0; at < needle.length; at++) if (bytes[start + at] !== needle[at]) return false
  return true
}

/** The key under which the prefix is at an offset; 0 where it is not, or is there plainly. */
function xorKeyAt(bytes: Uint8Array, start: number, prefix: Uint8Array): number {
  if (start < 0 || start + prefix.length > bytes.length) return 0
  const key = (bytes[start] as number) ^ (prefix[0] as number)
  for (let at = 1; at < prefix.length; at++)
    if (((bytes[start + at] as number) ^ key) !== (prefix[at] as number)) return 0
  return key
}
