import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { unescapedWhole } from './decode.ts'
import { beginsDeflated } from './deflate-head.ts'
import {
  findRuns,
  isBase64,
  isDigit,
  isHexDigit,
  leastDigits,
  runsIn,
  sextets,
  stretchesIn,
} from './find-runs.ts'
import type { RunFinder } from './kernel/runs.ts'
import { classOf, endsOfStretches, type Stretch } from './stretches.ts'

/** The decoded bytes of a value in a file, and the place of the value. */
export interface Unwrapped extends Stretch {
  readonly bytes: Buffer
  /** Encodings that were decoded, in the words of `Finding.decoder`. */
  readonly encoding: string
}

const mostText = 4 * 1024 * 1024

/**
 * Values that are encoded, each decoded once by every encoding that it can be in: base64, hex, lists of bytes, escapes.
 * @param isNarrow the bytes are text, and not in UTF-16
 */
export function* unwrappedValues(
  bytes: Buffer,
  { isNarrow = false, find = findRuns }: { readonly isNarrow?: boolean; readonly find?: RunFinder } = {},
): Generator<Unwrapped> {
  const { digits, wide, lists } = find(bytes, isNarrow)
  let joinedUntil = 0
  for (const { start, end, isWorth } of runsIn(digits)) {
    const isFirst = start >= joinedUntil
    if (isFirst) joinedUntil = joinedEnd(bytes, start, end)
    // The lines of a wrapped text, and each of them alone: they may be values that only are as long as each other.
    if (isWorth)
      for (const value of decoded(narrowText(bytes, start, end)))
        yield end < joinedUntil ? withoutLastWord(value) : value
    if (isFirst && joinedUntil > end) yield* decoded(narrowText(bytes, start, joinedUntil))
  }
  for (const { start, end } of runsIn(wide)) {
    const last = Math.min(end, start + mostText)
    const text = Buffer.from(bytes.toString('utf16le', start, last), 'latin1')
    yield* decoded({ start, end: last, unit: 2, text })
  }
  for (const stretch of runsIn(lists))
    for (const { start, end } of piecesOf(stretch)) yield* listed(bytes.toString('latin1', start, end), start)
}

/** Expressions run out of memory on longer lists. What is written in numbers overlaps by more than any token takes. */
const pieceLength = 512 * 1024
const overlap = 32 * 1024

function* piecesOf({ start, end }: Stretch): Generator<Stretch> {
  for (let from = start; from < end; from += pieceLength - overlap) {
    yield { start: from, end: Math.min(end, from + pieceLength) }
    if (from + pieceLength >= end) return
  }
}

function narrowText(bytes: Buffer, start: number, whole: number): Text {
  const end = Math.min(whole, start + mostText)
  return { start, end, unit: 1, text: bytes.subarray(start, end) }
}

const isOfWord = classOf(/[A-Za-z0-9_-]/)

/** Drops the last word of a line, which may be in UTF-16: if it continues in the next line, only the joined lines have it whole. */
function withoutLastWord(value: Unwrapped): Unwrapped {
  let end = value.bytes.length
  const isOpen = (byte: number) => isOfWord[byte] === 1 || byte === 0
  while (end > 0 && isOpen(value.bytes[end - 1] as number)) end -= 1
  return { ...value, bytes: value.bytes.subarray(0, end) }
}

/** Encoders wrap at 60 characters or more, whole groups of them. */
const shortestLine = 60
const lineFeed = 10
const isBlank = classOf(/[\r\n\t ]/)
const mostBlanks = 40

/** Where base64 that is wrapped in lines of one length ends. */
function joinedEnd(bytes: Buffer, start: number, end: number): number {
  const length = end - start
  if (length < shortestLine || length % 4 !== 0) return end
  for (let lineStart = start, lineEnd = end; lineEnd - lineStart === length; ) {
    let next = lineEnd
    while (next < lineEnd + mostBlanks && isBlank[bytes[next] as number] === 1) next += 1
    if (next === lineEnd || !bytes.subarray(lineEnd, next).includes(lineFeed)) break
    lineStart = next
    lineEnd = next
    while (lineEnd < bytes.length && isDigit[bytes[lineEnd] as number] === 1) lineEnd += 1
    if (lineEnd === lineStart || lineEnd - lineStart > length) break
    end = lineEnd
  }
  return end
}

interface Text extends Stretch {
  /** Its characters, one byte each. */
  readonly text: Buffer
  /** Bytes of a character in the file. */
  readonly unit: 1 | 2
}

function* decoded({ text, start, end, unit }: Text): Generator<Unwrapped> {
  if (text.includes('%') || text.includes('\\') || text.includes('&')) {
    const escaped = text.toString('latin1')
    const plain = unescapedWhole(escaped)
    if (plain !== escaped) yield { bytes: Buffer.from(plain, 'latin1'), start, end, encoding: 'escape' }
  }
  for (const run of base64Runs(text)) {
    if (run.end - run.start < leastDigits) continue
    const place = { start: start + run.start * unit, end: start + run.end * unit }
    const line = text.subarray(run.start, run.end)
    const digits = run.isWrapped ? withoutBlanks(line) : line
    for (const { start: from, end: to } of stretchesIn(endsOfStretches(digits, isHexDigit, leastDigits))) {
      // Whatever of a neighbour looks like a digit is one of them.
      const hex = digits.toString('latin1', from, to)
      for (const bytes of [Buffer.from(hex, 'hex'), Buffer.from(hex.slice(1), 'hex')])
        if (isWorthLook(bytes)) yield* expanded({ ...place, bytes, encoding: 'hex' })
    }
    const shift = alignmentOf(digits, 0, digits.length)
    if (shift === null) yield* inflated(digits, place)
    else {
      const bytes = Buffer.from(digits.toString('latin1', shift), 'base64')
      yield* expanded({ ...place, bytes, encoding: 'base64' })
    }
  }
}

const leastFirstLine = 16
const padding = 0x3d
const mostPadding = 2

/** Base64, also in several lines. */
function* base64Runs(text: Buffer): Generator<Stretch & { readonly isWrapped: boolean }> {
  const wordEnd = (from: number) => {
    let at = from
    while (at < text.length && isBase64[text[at] as number] === 1) at += 1
    return at
  }
  for (let start = 0; start < text.length; ) {
    let end = wordEnd(start)
    if (end - start < leastFirstLine) {
      start = Math.max(end, start + 1)
      continue
    }
    const firstEnd = end
    for (let next = end; next < text.length; ) {
      while (isBlank[text[next] as number] === 1) next += 1
      const last = wordEnd(next)
      if (next === end || last === next) break
      end = last
      next = last
    }
    const lastWord = end
    for (let pads = 0; pads < mostPadding && text[end] === padding; pads++) end += 1
    yield { start, end, isWrapped: lastWord > firstEnd }
    start = end
  }
}

function withoutBlanks(text: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number
    if (isBlank[byte] !== 1) kept[length++] = byte
  }
  return kept.subarray(0, length)
}

/** Accepts the first bits of headerless deflate data: a last block, or one with its codes first. */
const isDeflatedHead = (bits: number) => bits >= 3 && bits <= 5
const headDigits = 24
const head24 = Buffer.alloc((headDigits / 4) * 3)

/** Says whether base64 may be of headerless deflate data: no word or path, and a possible first block. */
function mayBeDeflated(digits: Buffer, start: number, end: number): boolean {
  const head = (sextetAt(digits, start) << 2) | (sextetAt(digits, start + 1) >> 4)
  if (!isDeflatedHead(head & 7) || !isMixed(digits, start, end)) return false
  for (let at = 0; at < headDigits; at += 4) {
    const group =
      (sextetAt(digits, start + at) << 18) |
      (sextetAt(digits, start + at + 1) << 12) |
      (sextetAt(digits, start + at + 2) << 6) |
      sextetAt(digits, start + at + 3)
    head24.writeUIntBE(group, (at / 4) * 3, 3)
  }
  return beginsDeflated(head24)
}

/** Base64 of random bytes has all three kinds of characters in as many characters, and hardly a mark. */
function isMixed(digits: Buffer, start: number, end: number): boolean {
  const last = Math.min(end - start, leastDigits)
  let [capitals, small, numbers] = [0, 0, 0]
  for (let at = start; at < start + last; at++) {
    const sextet = sextetAt(digits, at)
    if (sextet < 26) capitals += 1
    else if (sextet < 52) small += 1
    else if (sextet < 62) numbers += 1
  }
  return capitals > 4 && small > 4 && numbers > 1 && capitals + small + numbers > last - 6
}

/** Inflates raw `deflate` data, where it is complete. */
function* inflated(digits: Buffer, place: Stretch): Generator<Unwrapped> {
  if (!mayBeDeflated(digits, 0, digits.length)) return
  try {
    const bytes = inflateRawSync(Buffer.from(digits.toString('latin1'), 'base64'), {
      maxOutputLength: mostText,
    })
    yield { ...place, bytes, encoding: 'base64, deflate' }
  } catch {
    // Most random data is none.
  }
}

/** As many characters tell whether base64 holds text there. */
const looked = 20
/** Most looks into a long value: its beginning has to tell. */
const mostLooks = 64
/**
 * The offset, from 0 to 3, at which base64 of text (also masked text) or of compressed data begins; null if there is none.
 * Text is recognised because the highest bit of its bytes is the same. A neighbouring value may precede it.
 */
function alignmentOf(digits: Buffer, start: number, end: number): number | null {
  if (beginsTelling(digits, start, end)) return 0
  const last = Math.min(end - looked - 3, start + mostLooks * looked)
  for (let at = start; at <= last; at += looked)
    for (let shift = 0; shift < 4; shift++)
      if (isOneSided(digits, at + shift)) return (at - start + shift) % 4
  return null
}

/** How base64 begins of gzip (`H4sI`), of zlib (`eJ`, `eN`, `eA`, `eF`) and of JSON (`ey`). */
const [letterH, letterE] = [0x48, 0x65]
const isBehindE = classOf(/[JNAFy]/)

function beginsTelling(digits: Buffer, start: number, end: number): boolean {
  const first = digits[start]
  if (first === letterE) return start + 1 < end && isBehindE[digits[start + 1] as number] === 1
  return first === letterH && digits.toString('latin1', start, Math.min(end, start + 4)) === 'H4sI'
}

function isOneSided(digits: Buffer, start: number): boolean {
  const side = sextetAt(digits, start) >> 5
  for (let at = start; at < start + looked; at += 4) {
    if (sextetAt(digits, at) >> 5 !== side) return false
    if (((sextetAt(digits, at + 1) >> 3) & 1) !== side) return false
    if (((sextetAt(digits, at + 2) >> 1) & 1) !== side) return false
  }
  return true
}

function sextetAt(digits: Buffer, at: number): number {
  return sextets[digits[at] as number] as number
}

const lookedBytes = 16

/** The same for bytes. */
function isWorthLook(bytes: Buffer): boolean {
  if (isCompressed(bytes)) return true
  const end = Math.min(bytes.length - lookedBytes, mostLooks * lookedBytes)
  for (let at = 0; at <= end; at += lookedBytes) {
    const part = bytes.subarray(at, at + lookedBytes)
    if (part.every((byte) => byte < 0x80) || part.every((byte) => byte >= 0x80)) return true
  }
  return false
}

function isCompressed(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes
  return (first === 0x1f && second === 0x8b) || (first === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(second))
}

function* expanded(value: Unwrapped): Generator<Unwrapped> {
  if (!isCompressed(value.bytes)) return yield value
  const options = { maxOutputLength: mostText, finishFlush: constants.Z_SYNC_FLUSH }
  const isGzip = value.bytes[0] === 0x1f
  try {
    const bytes = isGzip ? gunzipSync(value.bytes, options) : inflateSync(value.bytes, options)
    yield { ...value, bytes, encoding: `${value.encoding}, ${isGzip ? 'gzip' : 'zlib'}` }
  } catch {
    // It only began like it, or is larger than any value.
    yield value
  }
}

const numberList = /(?:-?(?:0x[0-9a-f]{1,2}|\d{1,3})\s*,\s*){15,}-?(?:0x[0-9a-f]{1,2}|\d{1,3})/gi

function* listed(text: string, start: number): Generator<Unwrapped> {
  for (const { 0: list, index } of text.matchAll(numberList)) {
    const bytes = bytesOf(list.split(',').map(Number))
    const place = { start: start + index, end: start + index + list.length }
    if (bytes !== null) yield* expanded({ ...place, bytes, encoding: 'numbers' })
  }
}

/** Numbers of 8 bits, signed or not, as bytes; `null` where one is larger. */
export function bytesOf(numbers: readonly number[]): Buffer | null {
  return numbers.every((number) => number < 256 && number >= -128) ? Buffer.from(numbers) : null
}
