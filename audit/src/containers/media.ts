import { collectGarbage } from '../model/garbage.ts'
import { cutOff, overLimit } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'
import { inflate } from './inflate.ts'

/** Documents and pictures contain zlib streams behind plain marks; the search of their bytes reads the rest. */
const beginsPdf = Buffer.from('%PDF-')
const beginsPng = Buffer.from('89504e470d0a1a0a', 'hex')

export const pdf: OpeningOf<'members'> = {
  opens: 'members',
  name: 'pdf',
  begins: [beginsPdf],
  read: (_, bytes, bound) => (startsWith(bytes, beginsPdf) ? inflated(bytes, pdfStreams(bytes), bound) : []),
  isHead: (head) => startsWith(head, beginsPdf),
}

export const png: OpeningOf<'members'> = {
  opens: 'members',
  name: 'png',
  mayBe: (bytes) => startsWith(bytes, beginsPng) && pngTexts(bytes).next().done === false,
  read: (_, bytes, bound) => (startsWith(bytes, beginsPng) ? inflated(bytes, pngTexts(bytes), bound) : []),
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes[0] === mark[0] && bytes.subarray(0, mark.length).equals(mark)
}

/** A place where data in zlib begins, or something that cannot be opened. */
type Stream =
  | { readonly name: string; readonly start: number; readonly end: number }
  | { readonly problem: Problem }

const mostStreams = 40_000
const muchInVain = 64 * 1024 * 1024
const tooMany: Problem = { kind: 'limit', reason: 'more compressed streams than the limits allow' }

function* inflated(bytes: Buffer, streams: Iterable<Stream>, bound: number): Generator<Member> {
  let count = 0
  for (const stream of streams) {
    count += 1
    if (count > mostStreams) {
      yield { name: null, bytes: null, problem: tooMany }
      return
    }
    if ('problem' in stream) yield { name: null, bytes: null, problem: stream.problem }
    else yield inflatedMember(bytes, stream, bound)
  }
}

function inflatedMember(
  bytes: Buffer,
  { name, start, end }: Extract<Stream, { readonly name: string }>,
  bound: number,
): Member {
  const read = inflate(bytes.subarray(start, end), bound)
  if (read !== null && read !== 'over') return { name, bytes: read.bytes }
  // Else as much as that may pile up once more.
  if (read === 'over' && bound > muchInVain) collectGarbage()
  return { name, bytes: null, problem: read === 'over' ? overLimit : cutOff }
}

const endOfStream = Buffer.from('endstream')
const longestDictionary = 2048
const unopened: Problem = {
  kind: 'unsupported',
  reason: 'streams of a PDF that cannot be opened: unpack it with qpdf --qdf --decrypt, and audit the result',
}

const torn: Problem = { kind: 'corrupt', reason: 'a stream of the PDF has no beginning or no end' }

/** Streams in zlib by the first bytes of their data; in another filter of text, or encrypted, they are a problem. */
function* pdfStreams(bytes: Buffer): Generator<Stream> {
  let dictionaryStart = 0
  for (let end = bytes.indexOf(endOfStream); end !== -1; end = bytes.indexOf(endOfStream, end + 1)) {
    const start = dataStart(bytes, dictionaryStart, end)
    dictionaryStart = end + endOfStream.length
    if (start === null) yield { problem: torn }
    else if (end - start > 2 && isZlibAt(bytes, start)) yield { name: `stream at ${start}`, start, end }
    else if (hasTextFilter(bytes, Math.max(0, start - longestDictionary), start)) yield { problem: unopened }
  }
  if (dataStart(bytes, dictionaryStart, bytes.length) !== null) yield { problem: torn }
}

function isZlibAt(bytes: Buffer, at: number): boolean {
  const head = bytes.readUInt16BE(at)
  return ((head >> 8) & 15) === 8 && head % 31 === 0
}

/** Behind the first keyword `stream` that follows a dictionary. */
function dataStart(bytes: Buffer, from: number, end: number): number | null {
  for (let at = bytes.indexOf('stream', from); at !== -1 && at < end; at = bytes.indexOf('stream', at + 6)) {
    if (!/>>\s*$/.test(bytes.toString('latin1', Math.max(from, at - 8), at))) continue
    const data = at + 6
    if (bytes[data] === 0x0d && bytes[data + 1] === 0x0a) return data + 2
    if (bytes[data] === 0x0a || bytes[data] === 0x0d) return data + 1
  }
  return null
}

function hasTextFilter(bytes: Buffer, from: number, start: number): boolean {
  const before = bytes.toString('latin1', from, start)
  const dictionary = before.slice(before.lastIndexOf(' obj') + 1)
  return /\/(?:FlateDecode|Fl|LZWDecode|LZW|ASCII85Decode|A85|ASCIIHexDecode|AHx|RunLengthDecode|RL|Crypt)\b/.test(
    dictionary,
  )
}

/** Chunks of text that may be compressed. Plain text is found as it is; pixels and colour profiles contain none. */
const [compressedText, internationalText, lastChunk] = ['zTXt', 'iTXt', 'IEND']
const longestKeyword = 80

const damaged: Problem = { kind: 'corrupt', reason: 'chunks of the PNG have wrong lengths, or are cut off' }

function* pngTexts(bytes: Buffer): Generator<Stream> {
  let texts = 0
  let isWhole = false
  for (let at = beginsPng.length; !isWhole && at + 12 <= bytes.length; ) {
    const start = at + 8
    const end = start + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, start)
    isWhole = type === lastChunk
    if (isWhole || end > bytes.length) break
    if (type === compressedText || type === internationalText) {
      texts += 1
      const data = textStart(bytes, type, start, end)
      if (data === null) yield { problem: damaged }
      else if (data !== 'plain') yield { name: `${type} at ${start}`, start: data, end }
    }
    at = end + 4
  }
  if (!isWhole && textsMarkedIn(bytes) > texts) yield { problem: damaged }
}

/** As many of them as there may be, in whatever chunk their marks are. */
function textsMarkedIn(bytes: Buffer): number {
  let count = 0
  for (const type of [compressedText, internationalText])
    for (let at = bytes.indexOf(type); at !== -1; at = bytes.indexOf(type, at + 1)) count += 1
  return count
}

/** Behind the keyword, the flags and the languages of a chunk; `null` where it has no such place. */
function textStart(bytes: Buffer, type: string, start: number, end: number): number | 'plain' | null {
  const zero = bytes.subarray(start, Math.min(end, start + longestKeyword)).indexOf(0)
  // A keyword has one character or more.
  if (zero < 1) return null
  if (type === compressedText) return start + zero + 2
  const language = bytes.indexOf(0, start + zero + 3)
  const title = language === -1 ? -1 : bytes.indexOf(0, language + 1)
  const isStatedPlain = bytes[start + zero + 1] !== 1
  if (title === -1 || title >= end) return isStatedPlain ? 'plain' : null
  const isPlain = isStatedPlain && (title + 2 >= end || !isZlibAt(bytes, title + 1))
  return isPlain ? 'plain' : title + 1
}
