import { inflateSync } from 'node:zlib'
import type { Member, OpeningOf, Problem } from './container-format.ts'

/** Apple's `Assets.car`: blocks, some of which are renditions with a header. */

const mark = Buffer.from('BOMStore')
const headerMark = Buffer.from('ISTC')
const headerBytes = 184
const mostBlocks = 1_000_000
/** Of what is neither a picture nor a colour. */
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
  for (let block = 0; block < count; block++) {
    const row = index + 4 + block * 8
    const start = file.readUInt32BE(row)
    const end = start + file.readUInt32BE(row + 4)
    if (end > file.length || end - start < headerBytes) continue
    const bytes = file.subarray(start, end)
    if (bytes.subarray(0, headerMark.length).equals(headerMark)) yield* readRendition(bytes, bound)
  }
}

/** Data that is compressed; pictures and colours hold no text, and what is plain is found as it is. */
function* readRendition(bytes: Buffer, bound: number): Generator<Member> {
  const data = dataOf(bytes)
  if (data === null || data.length < 4) return
  const name = bytes.toString('utf8', 40, 168).replace(/\0.*$/s, '')
  if (/^bvx[12n-]/.test(data.toString('latin1', 0, 4))) yield { name, bytes: null, problem: unsupported }
  else if (data.readUInt16BE(0) % 31 === 0 && (data.readUInt8(0) & 15) === 8) {
    const expanded = inflated(data, bound)
    if (expanded !== null) yield { name, bytes: expanded }
  } else yield { name, bytes: data }
}

/** What a rendition of data has, behind its header and the list of its attributes. */
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

/** `null` where it only begins like zlib. */
function inflated(bytes: Buffer, bound: number): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, bound) })
  } catch {
    return null
  }
}
