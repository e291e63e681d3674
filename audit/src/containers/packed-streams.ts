import { hash } from 'node:crypto'
import { brotliDecompressSync, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { longRows } from '../formats/sqlite.ts'
import { overLimit } from './compressed-file.ts'
import type { Member, OpeningOf } from './container-format.ts'
import { type Decoder, decompress } from './inflate.ts'
import { headerEnd } from './zlib-compressions.ts'

/**
 * Files that compress their parts one by one: databases and their logs, compiled scripts of Ren'Py, and the resources of Qt, of
 * GTK and of Chromium.
 */
const marks = [
  ...['SQLite format 3\0', 'qres', 'GVariant', 'tnairaVG', 'RENPY RPC2'].map((text) => Buffer.from(text)),
  ...['377f0682', '377f0683'].map((digits) => Buffer.from(digits, 'hex')),
]
const database = marks[0] as Buffer
const chromium = '.pak'

export const packedStreams: OpeningOf<'members'> = {
  opens: 'members',
  name: 'packed streams',
  begins: marks,
  suffixes: [chromium],
  read: (name, bytes, bound) => (isPacked(name, bytes) ? readStreams(bytes, bound) : []),
}

function isPacked(name: string, bytes: Buffer): boolean {
  return name.toLowerCase().endsWith(chromium) || marks.some((mark) => startsWith(bytes, mark))
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

/** Room for all streams of a file: small ones together may not become more than one large one. */
const plausibleRatio = 40
const mostTried = 20_000

/** Bytes that only begin like a stream are no gap: in such files random ones often do. */
function* readStreams(file: Buffer, bound: number): Generator<Member> {
  let room = Math.max(bound, file.length * plausibleRatio)
  let count = 0
  const seen = new Set<string>()
  for (const [place, bytes] of placesOf(file)) {
    for (const { at, read } of streamsIn(bytes)) {
      count += 1
      if (count > mostTried || room <= 0) {
        yield { name: null, bytes: null, problem: overLimit }
        return
      }
      const most = Math.min(bound, room)
      const tried = tryStream(read, bytes.subarray(at), most)
      room -= tried.spent
      if ((tried.bytes?.length ?? 0) < least && !tried.isOver) continue
      // A stream in a long row may be whole in the file as well.
      const content = tried.bytes === null ? null : hash('sha256', tried.bytes)
      if (content !== null && seen.has(content)) continue
      if (content !== null) seen.add(content)
      const name = `${place} ${at}`
      yield { name, bytes: tried.bytes, problem: tried.isOver ? overLimit : undefined }
    }
  }
}

/** Random bytes may become a few, and no key is so short. */
const least = 16
/** Nearly all that is no stream fails before it has become so much. */
const probed = 16 * 1024
/** No deflated byte becomes more. */
const largestRatio = 1032

interface Tried {
  readonly bytes: Buffer | null
  readonly isOver: boolean
  /** As much as it may have become, also where it failed. */
  readonly spent: number
}

function tryStream(read: Decoder, bytes: Buffer, most: number): Tried {
  const first = decompress(read, bytes, Math.min(probed, most))
  const all = first === 'over' && most > probed ? decompress(read, bytes, most) : first
  if (all !== null && all !== 'over') return { bytes: all.bytes, isOver: false, spent: all.bytes.length }
  const spent = first === 'over' ? Math.min(most, bytes.length * largestRatio) : probed
  return { bytes: null, isOver: all === 'over', spent }
}

/** The file as it is, and the rows of a database that go on in other pages. */
function* placesOf(file: Buffer): Generator<readonly [string, Buffer]> {
  yield ['stream at', file]
  if (!startsWith(file, database)) return
  try {
    let row = 0
    for (const bytes of longRows(file)) yield [`long row ${++row}, stream at`, bytes]
  } catch (error) {
    // The reader of its texts reports corrupt pages.
    if (!(error instanceof RangeError)) throw error
  }
}

const gzipMark = Buffer.from('1f8b08', 'hex')
const gzipFlags = 0xe0
const zlibHeads = [0x01, 0x5e, 0x9c, 0xda]
const zlibHeadBytes = 2

const zstdMark = Buffer.from('28b52ffd', 'hex')
/** Chromium writes it before brotli, with the full length in six bytes. */
const brotliMark = Buffer.from('1e9b', 'hex')
const brotliHeadBytes = 8

interface Stream {
  /** Where its data begins, behind its head. */
  readonly at: number
  readonly read: Decoder
}

function* streamsIn(bytes: Buffer): Generator<Stream> {
  for (const at of placesIn(bytes, gzipMark)) {
    const start = ((bytes[at + 3] ?? 0xff) & gzipFlags) === 0 ? headerEnd(bytes, at) : null
    if (start !== null) yield { at: start, read: inflateRawSync }
  }
  for (const at of placesIn(bytes, 0x78))
    if (zlibHeads.includes(bytes[at + 1] ?? 0)) yield { at: at + zlibHeadBytes, read: inflateRawSync }
  for (const at of placesIn(bytes, zstdMark)) yield { at, read: zstdDecompressSync }
  for (const at of placesIn(bytes, brotliMark)) {
    const head = bytes.subarray(at, at + brotliHeadBytes)
    // No resource has 16 MB.
    if (head.length === brotliHeadBytes && head.readUIntLE(5, 3) === 0)
      yield { at: at + brotliHeadBytes, read: brotliDecompressSync }
  }
}

function* placesIn(bytes: Buffer, mark: Buffer | number): Generator<number> {
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) yield at
}
