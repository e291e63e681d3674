import { constants, inflateRawSync } from 'node:zlib'
import { overLimit } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'

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
  const index = file.readUInt32BE(16)
  const count = index + 4 <= file.length ? file.readUInt32BE(index) : mostBlocks + 1
  if (count > mostBlocks || index + 4 + count * 8 > file.length) {
    yield { name: null, bytes: null, problem: corrupt }
    return
  }
  // Blocks do not overlap: a catalogue that has one of them many times is a trap.
  let unread = file.length
  const room = { bytes: always + plausibleRatio * file.length, bound }
  for (let block = 0; block < count; block++) {
    const row = index + 4 + block * 8
    const start = file.readUInt32BE(row)
    const end = start + file.readUInt32BE(row + 4)
    if (end > file.length || end - start < headerBytes) continue
    const bytes = file.subarray(start, end)
    if (!bytes.subarray(0, headerMark.length).equals(headerMark)) continue
    unread -= bytes.length
    if (unread < 0 || room.bytes <= 0) {
      yield { name: null, bytes: null, problem: unread < 0 ? corrupt : overLimit }
      return
    }
    yield* readRendition(bytes, room)
  }
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
  if (data === null || data.length < 4) return
  const name = bytes.toString('utf8', 40, 168).replace(/\0.*$/s, '')
  if (/^bvx[12n-]/.test(data.toString('latin1', 0, 4))) yield { name, bytes: null, problem: unsupported }
  else if (data.readUInt16BE(0) % 31 === 0 && (data.readUInt8(0) & 15) === 8) {
    yield inflated(name, data, room)
  } else yield { name, bytes: data }
}

/** Returns the data of a rendition, behind its header and the list of its attributes. */
function dataOf(bytes: Buffer): Buffer | null {
  const isData =
    bytes.readUInt16LE(36) === dataLayout || /^(?:ATAD|ELIF| FDP| GVS)/.test(bytes.toString('latin1', 24, 28))
  const start = headerBytes + bytes.readUInt32LE(168)
  if (!isData || start + 12 + 4 > bytes.length) return null
  const size = bytes.readUInt32LE(start + 8)
  return bytes.toString('latin1', start, start + 4) === 'DWAR'
    ? bytes.subarray(start + 12, Math.min(bytes.length, start + 12 + size))
    : null
}

const zlibHeadBytes = 2

/** Data is short; zlib takes twice as much memory as it becomes. */
const largestData = 32 * 1024 * 1024

/** Whatever its checksum says; nothing where it only begins like zlib. */
function inflated(name: string, bytes: Buffer, room: Room): Member {
  const maxOutputLength = Math.max(1, Math.min(largestData, room.bound, room.bytes))
  try {
    const expanded = inflateRawSync(bytes.subarray(zlibHeadBytes), {
      maxOutputLength,
      finishFlush: constants.Z_SYNC_FLUSH,
    })
    room.bytes -= expanded.length
    return { name, bytes: expanded }
  } catch (error) {
    room.bytes -= Math.min(maxOutputLength, bytes.length * largestRatio)
    const isOver = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return isOver ? { name, bytes: null, problem: overLimit } : { name, bytes: null }
  }
}
