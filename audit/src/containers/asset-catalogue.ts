import { constants } from 'node:zlib'
import { overLimit } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'
import { inflateRaw } from './inflate.ts'

/** Apple's `Assets.car`: blocks, some of which are renditions with a header. */

const mark = Buffer.from('BOMStore')
const headerMark = Buffer.from('ISTC')
const headerBytes = 184
const mostBlocks = 1_000_000
/** The layout of a rendition that is neither a picture nor a colour. */
const dataLayout = 1000

export const assetCatalogue: OpeningOf<'members'> = {
  opens: 'members',
  name: 'asset catalogue',
  begins: [mark],
  read: (_, bytes, bound) => (isStore(bytes) ? readBlocks(bytes, bound) : []),
  isHead: isStore,
}

function isStore(bytes: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

const unsupported: Problem = {
  kind: 'unsupported',
  reason: 'LZFSE compression cannot be opened: export the data with acextract, and audit the result',
}
const corrupt: Problem = { kind: 'corrupt', reason: 'the asset catalogue is corrupt or cut off' }

function* readBlocks(file: Buffer, bound: number): Generator<Member> {
  if (file.length < 32) return
  // Blocks do not overlap: a catalogue that has one of them many times is a trap.
  let unread = file.length
  const room = { bytes: always + plausibleRatio * file.length, bound }
  for (const bytes of renditionsOf(file)) {
    unread -= bytes?.length ?? 0
    if (bytes === null) yield { name: null, bytes, problem: corrupt }
    else if (unread >= 0 && room.bytes > 0) yield* readRendition(bytes, room)
    else {
      yield { name: null, bytes: null, problem: unread < 0 ? corrupt : overLimit }
      return
    }
  }
}

/** Renditions by the index, then those that it does not have, each to the next mark. `null` for what the index has wrong. */
function* renditionsOf(file: Buffer): Generator<Buffer | null> {
  const seen = new Set<number>()
  const blocks = new Set<string>()
  const index = file.readUInt32BE(16)
  const count = index + 4 <= file.length ? file.readUInt32BE(index) : mostBlocks + 1
  let isRight = count <= mostBlocks && index + 4 + count * 8 <= file.length
  for (let block = 0; isRight && block < count; block++) {
    const row = index + 4 + block * 8
    const start = file.readUInt32BE(row)
    const end = start + file.readUInt32BE(row + 4)
    isRight = end <= file.length
    if (!isRight || end - start < headerBytes || !isMarkAt(file, start)) continue
    // An index that names a block again tells nothing new.
    if (blocks.has(`${start} ${end}`)) continue
    blocks.add(`${start} ${end}`)
    seen.add(start)
    yield file.subarray(start, end)
  }
  if (!isRight) yield null
  for (let at = nextMark(file, 0); at < file.length; ) {
    const next = nextMark(file, at + 1)
    if (!seen.has(at) && next - at >= headerBytes) yield file.subarray(at, next)
    at = next
  }
}

function isMarkAt(file: Buffer, at: number): boolean {
  return file.subarray(at, at + headerMark.length).equals(headerMark)
}

/** Behind the mark there is a small number: four letters alone may be anywhere in what is compressed. */
function nextMark(file: Buffer, from: number): number {
  let at = file.indexOf(headerMark, from)
  while (at !== -1 && (at + 8 > file.length || file.readUIntLE(at + 5, 3) !== 0))
    at = file.indexOf(headerMark, at + 1)
  return at === -1 ? file.length : at
}

/** How much all renditions may become, beside the bound of each: those that fail count as well. */
interface Room {
  bytes: number
  readonly bound: number
}

const always = 64 * 1024 * 1024
const plausibleRatio = 100
/** No deflated byte becomes more. */
const largestRatio = 1032

/** Data that is compressed; pictures and colours hold no text, and what is plain is found as it is. */
function* readRendition(bytes: Buffer, room: Room): Generator<Member> {
  const data = dataOf(bytes)
  if (data === null || data.bytes.length < 4) return
  const name = bytes.toString('utf8', 40, 168).replace(/\0.*$/s, '')
  if (data.isCut) yield { name, bytes: null, problem: corrupt }
  if (/^bvx[12n-]/.test(data.bytes.toString('latin1', 0, 4)))
    yield { name, bytes: null, problem: unsupported }
  else if (data.bytes.readUInt16BE(0) % 31 === 0 && (data.bytes.readUInt8(0) & 15) === 8)
    yield inflated(name, data.bytes, room)
  else yield { name, bytes: data.bytes }
}

const dataMark = Buffer.from('DWAR')

/** The data of a rendition, behind its header and the list of its attributes: to the end of its block, whatever it states. */
function dataOf(bytes: Buffer): { readonly bytes: Buffer; readonly isCut: boolean } | null {
  const isData =
    bytes.readUInt16LE(36) === dataLayout || /^(?:ATAD|ELIF| FDP| GVS)/.test(bytes.toString('latin1', 24, 28))
  const mark = isData ? bytes.indexOf(dataMark, headerBytes) : -1
  if (mark === -1 || mark + 12 > bytes.length) return null
  const start = mark + 12
  return { bytes: bytes.subarray(start), isCut: start + bytes.readUInt32LE(mark + 8) > bytes.length }
}

const zlibHeadBytes = 2

/** Data is short; zlib takes twice as much memory as it becomes. */
const largestData = 32 * 1024 * 1024

/** Whatever its checksum says; nothing where it only begins like zlib. */
function inflated(name: string, bytes: Buffer, room: Room): Member {
  const maxOutputLength = Math.max(1, Math.min(largestData, room.bound, room.bytes))
  const read = inflateRaw(bytes.subarray(zlibHeadBytes), maxOutputLength, {
    finishFlush: constants.Z_SYNC_FLUSH,
  })
  if (read !== null && read !== 'over') {
    room.bytes -= read.bytes.length
    return { name, bytes: read.bytes }
  }
  room.bytes -= Math.min(maxOutputLength, bytes.length * largestRatio)
  return read === 'over' ? { name, bytes: null, problem: overLimit } : { name, bytes: null }
}
