import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  restoreArm,
  restoreArm64,
  restoreBranches,
  restoreDifferences,
  restorePowerPc,
  restoreThumb,
} from './byte-filters.ts'
import { expandedTo, stripSuffix } from './compressed-file.ts'
import type { OpeningOf } from './container-format.ts'
import { crc64 } from './crc64.ts'
import { CorruptData, decompressedBy, type Output } from './growing-output.ts'
import { decodeLzma2 } from './lzma-decoder.ts'

const mark = Buffer.from('fd377a585a00', 'hex')
const headBytes = 12

function isXz(bytes: Buffer, at = 0): boolean {
  return bytes.subarray(at, at + mark.length).equals(mark)
}

export const xz: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'xz',
  begins: [mark],
  expand(name, bytes, bound) {
    if (!isXz(bytes)) return null
    let consumed = 0
    const out = decompressedBy(bound, bytes.length * 4, (output) => {
      while (isXz(bytes, consumed)) {
        consumed = expandStream(bytes, consumed, output)
        while (consumed + 4 <= bytes.length && bytes.readUInt32LE(consumed) === 0) consumed += 4
      }
    })
    const expanded = expandedTo(stripSuffix(name, /\.t?xz$/i, 'xz'), out)
    return out.end === 'whole' ? { ...expanded, consumed } : expanded
  },
  openLarge: (_, head) => (isXz(head) ? 'xz compression' : null),
}

/** Blocks, their index, and a footer. @returns where it ends */
function expandStream(file: Buffer, start: number, output: Output): number {
  const check = checks[file.readUInt8(start + 7) & 15]
  if (check === undefined) throw new CorruptData()
  let at = start + headBytes
  while (file.readUInt8(at) !== 0) at = expandBlock(file, at, output, check)
  const end = indexEnd(file, at) + headBytes
  if (end > file.length) throw new CorruptData()
  return end
}

/** A checksum of some bytes by its number, and how long it is; numbers that are not used have no sum that is known. */
type Check = readonly [length: number, sum: ((bytes: Buffer) => string) | null]

const crc32Of = (bytes: Buffer) => {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(bytes))
  return sum.toString('hex')
}

const checks: Readonly<Record<number, Check>> = {
  0: [0, null],
  1: [4, crc32Of],
  2: [4, null],
  3: [4, null],
  4: [8, crc64],
  10: [32, (bytes) => createHash('sha256').update(bytes).digest('hex')],
}

function expandBlock(file: Buffer, start: number, output: Output, [length, sum]: Check): number {
  const dataStart = start + (file.readUInt8(start) + 1) * 4
  const filters = filtersIn(file, start)
  const before = output.size
  const count = decodeLzma2(file.subarray(dataStart), output)
  const bytes = output.bytes.subarray(before, output.size)
  for (const filter of filters.reverse()) filter(bytes)
  const end = dataStart + Math.ceil(count / 4) * 4
  if (sum !== null && sum(bytes) !== file.toString('hex', end, end + length)) throw new CorruptData()
  return end + length
}

type Filter = (bytes: Buffer) => void

const [delta, lzma2] = [3, 0x21]
/** Of processors, by their numbers. */
const branches: Readonly<Record<number, Filter>> = {
  4: restoreBranches,
  5: restorePowerPc,
  7: restoreArm,
  8: restoreThumb,
  10: restoreArm64,
}

/** What was done to the bytes before they were compressed. @throws CorruptData for what cannot be undone here */
function filtersIn(file: Buffer, start: number): Filter[] {
  const flags = file.readUInt8(start + 1)
  let at = start + 2
  const number = () => {
    const { value, end } = numberAt(file, at)
    at = end
    return value
  }
  if ((flags & 0x40) !== 0) number()
  if ((flags & 0x80) !== 0) number()
  const filters: Filter[] = []
  for (let left = (flags & 3) + 1; left > 0; left--) {
    const id = number()
    const size = number()
    const property = file.readUInt8(at)
    at += size
    if (id === delta) filters.push((bytes) => restoreDifferences(bytes, property + 1))
    else if (branches[id] !== undefined) filters.push(branches[id])
    else if (id !== lzma2 || left !== 1) throw new CorruptData()
  }
  return filters
}

function indexEnd(file: Buffer, start: number): number {
  let { value: left, end } = numberAt(file, start + 1)
  for (left *= 2; left > 0; left--) end = numberAt(file, end).end
  return start + Math.ceil((end - start) / 4) * 4 + 4
}

/** Seven bits in each byte, the lowest first. */
function numberAt(file: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let index = 0; index < 9; index++) {
    const byte = file.readUInt8(start + index)
    value += (byte & 0x7f) * 128 ** index
    if (byte < 0x80) return { value, end: start + index + 1 }
  }
  throw new CorruptData()
}
