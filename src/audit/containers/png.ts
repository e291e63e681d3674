import { inflateSync } from 'node:zlib'
import { cutOff } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'

const mark = Buffer.from('89504e470d0a1a0a', 'hex')
/** Chunks of text that may be compressed. Plain text is found as it is; pixels and profiles of colours have none. */
const [compressedText, internationalText, last] = ['zTXt', 'iTXt', 'IEND'].map(numberOf)
const longestKeyword = 80

export const png: OpeningOf<'members'> = {
  opens: 'members',
  name: 'png',
  mayBe: (bytes) => isPng(bytes) && hasMore(bytes),
  read: (_, bytes, bound) => (isPng(bytes) ? readPng(bytes, bound) : []),
}

function numberOf(type: string): number {
  return Buffer.from(type).readUInt32BE(0)
}

function isPng(bytes: Buffer): boolean {
  return bytes[0] === 0x89 && bytes[1] === 0x50 && bytes.subarray(0, mark.length).equals(mark)
}

/** Each chunk: its type, and where its data is. Ends with what is none. */
function* chunksOf(bytes: Buffer): Generator<{ type: number; start: number; end: number }> {
  for (let at = mark.length; at + 12 <= bytes.length; ) {
    const start = at + 8
    const end = start + bytes.readUInt32BE(at)
    if (end > bytes.length) return
    yield { type: bytes.readUInt32BE(at + 4), start, end }
    at = end + 4
  }
}

/** Whether a picture has more than most: few are looked at closer. */
function hasMore(bytes: Buffer): boolean {
  for (const { type, start, end } of chunksOf(bytes)) {
    if (type === last) return end + 4 < bytes.length
    if (dataStart(bytes, type, start, end) !== null) return true
  }
  return false
}

/** More than any picture has. */
const mostTexts = 1000
const tooMany: Problem = { kind: 'limit', reason: 'more texts in a PNG than the limits allow' }

function* readPng(bytes: Buffer, bound: number): Generator<Member> {
  let count = 0
  for (const { type, start, end } of chunksOf(bytes)) {
    if (type === last) {
      if (end + 4 < bytes.length) yield { name: 'behind the image', bytes: bytes.subarray(end + 4) }
      return
    }
    const data = dataStart(bytes, type, start, end)
    if (data === null) continue
    count += 1
    if (count > mostTexts) {
      yield { name: null, bytes: null, problem: tooMany }
      return
    }
    try {
      const text = inflateSync(bytes.subarray(data, end), { maxOutputLength: Math.max(1, bound) })
      yield { name: bytes.toString('latin1', start - 4, start), bytes: text }
    } catch {
      yield { name: bytes.toString('latin1', start - 4, start), bytes: null, problem: cutOff }
    }
  }
}

/** Where the compressed data of a chunk begins, behind its keyword and flags; `null` where it has none. */
function dataStart(bytes: Buffer, type: number, start: number, end: number): number | null {
  if (type !== compressedText && type !== internationalText) return null
  const zero = bytes.subarray(start, Math.min(end, start + longestKeyword)).indexOf(0)
  if (zero === -1) return null
  if (type !== internationalText) return start + zero + 2
  if (bytes[start + zero + 1] !== 1) return null
  const language = bytes.indexOf(0, start + zero + 3)
  const translated = language === -1 ? -1 : bytes.indexOf(0, language + 1)
  return translated === -1 || translated >= end ? null : translated + 1
}
