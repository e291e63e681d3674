import { inflateSync } from 'node:zlib'
import { append, CorruptData, createOutput } from './growing-output.ts'

/** What a stream of a PDF becomes by each of its filters; those of pictures are not undone. */
type Filter = (bytes: Buffer, bound: number) => Buffer

export const filters: Readonly<Record<string, Filter>> = {
  FlateDecode: inflated,
  Fl: inflated,
  ASCIIHexDecode: fromHex,
  AHx: fromHex,
  ASCII85Decode: fromAscii85,
  A85: fromAscii85,
  RunLengthDecode: fromRuns,
  RL: fromRuns,
  LZWDecode: fromLzw,
  LZW: fromLzw,
}

export const pictureFilters: ReadonlySet<string> = new Set([
  'DCTDecode',
  'DCT',
  'CCITTFaxDecode',
  'CCF',
  'JBIG2Decode',
  'JPXDecode',
])

function inflated(bytes: Buffer, bound: number): Buffer {
  return inflateSync(bytes, { maxOutputLength: Math.max(1, bound) })
}

/** Rows that are predicted from those before them, in the way of PNG, become what they are. Of bytes in one channel alone. */
export function withoutPrediction(bytes: Buffer, dictionary: string): Buffer {
  const [, columns = '0'] = /\/Columns\s+(\d+)/.exec(dictionary) ?? []
  const width = Number(columns)
  const isOther = /\/(?:Colors\s+[2-9]|BitsPerComponent\s+(?:[124]|16))\b/.test(dictionary)
  if (!/\/Predictor\s+1[0-5]\b/.test(dictionary) || isOther || width === 0 || width > bytes.length)
    return bytes
  const rows = Math.floor(bytes.length / (width + 1))
  const out = Buffer.alloc(rows * width)
  for (let row = 0; row < rows; row++) {
    const kind = bytes[row * (width + 1)] ?? 0
    for (let column = 0; column < width; column++) {
      const at = row * width + column
      const left = column > 0 ? (out[at - 1] ?? 0) : 0
      const above = row > 0 ? (out[at - width] ?? 0) : 0
      const corner = row > 0 && column > 0 ? (out[at - width - 1] ?? 0) : 0
      out[at] = (bytes[row * (width + 1) + 1 + column] ?? 0) + predicted(kind, left, above, corner)
    }
  }
  return out
}

function predicted(kind: number, left: number, above: number, corner: number): number {
  if (kind === 1) return left
  if (kind === 2) return above
  if (kind === 3) return (left + above) >> 1
  if (kind !== 4) return 0
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(left + above - corner - value))
  const [fromLeft = 0, fromAbove = 0, fromCorner = 0] = [a, b, c]
  if (fromLeft <= fromAbove && fromLeft <= fromCorner) return left
  return fromAbove <= fromCorner ? above : corner
}

/** Up to `>`; white space does not count, and a digit that is missing is a zero. */
function fromHex(bytes: Buffer): Buffer {
  const [digits = ''] = bytes.toString('latin1').split('>', 1)
  const hex = digits.replace(/[^0-9a-fA-F]/g, '')
  return Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex')
}

function fromAscii85(bytes: Buffer, bound: number): Buffer {
  const output = createOutput(bound, bytes.length)
  let group: number[] = []
  const end = bytes.indexOf('~')
  for (const byte of end === -1 ? bytes : bytes.subarray(0, end)) {
    if (byte === 0x7a && group.length === 0) append(output, Buffer.alloc(4))
    if (byte < 0x21 || byte > 0x75) continue
    group.push(byte - 0x21)
    if (group.length < 5) continue
    append(output, fourBytes(group))
    group = []
  }
  if (group.length > 1) {
    const count = group.length - 1
    append(
      output,
      fourBytes([...group, ...Array.from({ length: 5 - group.length }, () => 84)]).subarray(0, count),
    )
  }
  return output.bytes.subarray(0, output.size)
}

function fourBytes(digits: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(digits.reduce((sum, digit) => sum * 85 + digit, 0) % 2 ** 32)
  return bytes
}

function fromRuns(bytes: Buffer, bound: number): Buffer {
  const output = createOutput(bound, bytes.length * 2)
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 128
    if (length === 128) break
    if (length < 128) append(output, bytes.subarray(at + 1, at + 2 + length))
    else append(output, Buffer.alloc(257 - length, bytes[at + 1] ?? 0))
    at += length < 128 ? length + 2 : 2
  }
  return output.bytes.subarray(0, output.size)
}

const [clearTable, endOfData, firstFree] = [256, 257, 258]

/** Codes of 9 to 12 bits, each of which becomes one bit wider a code early, as nearly all writers do. */
function fromLzw(bytes: Buffer, bound: number): Buffer {
  const output = createOutput(bound, bytes.length * 3)
  const single = Array.from({ length: 256 }, (_, code) => Buffer.from([code]))
  let table: Buffer[] = []
  let previous: Buffer | null = null
  let [bits, held, width] = [0, 0, 9]
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    held += 8
    if (held < width) continue
    const code = (bits >>> (held - width)) & ((1 << width) - 1)
    held -= width
    bits &= (1 << held) - 1
    if (code === endOfData) break
    if (code === clearTable) {
      table = []
      previous = null
      width = 9
      continue
    }
    const known: Buffer | undefined = code < 256 ? single[code] : table[code - firstFree]
    const repeated: Buffer | null =
      previous === null ? null : Buffer.concat([previous, previous.subarray(0, 1)])
    const entry: Buffer | null = known ?? repeated
    if (entry === null) throw new CorruptData()
    append(output, entry)
    if (previous !== null && table.length < 4096 - firstFree)
      table.push(Buffer.concat([previous, entry.subarray(0, 1)]))
    previous = entry
    const next = firstFree + table.length + 1
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
  }
  return output.bytes.subarray(0, output.size)
}
