import { archiveCutOff, type OpeningOf, type Part, type Parts, uncovered } from './container-format.ts'
import { inMemory, type Source } from './source.ts'

const block = 512
const longest = 64 * 1024

export const tar: OpeningOf<'parts'> = {
  opens: 'parts',
  name: 'tar',
  mayBe: mayBeTar,
  read: (source) => (isTar(source) ? readTar(source) : null),
  isHead: (head) => isTar(inMemory(head)),
}

/** Says whether the first checksum is written in octal digits. */
function mayBeTar(bytes: Buffer): boolean {
  let digits = 0
  for (let at = 148; at < 156; at++) {
    const byte = bytes[at] ?? 1
    if (byte !== 0 && byte !== 0x20 && (byte < 0x30 || byte > 0x37)) return false
    if (byte >= 0x30) digits += 1
  }
  return digits > 0
}

/** `true` where the first header's checksum is right. */
function isTar(source: Source): boolean {
  const header = source.read(0, block)
  return header.length === block && isChecksumRight(header)
}

/** Reads ustar, GNU and pax archives. Directories and links have no bytes. */
function readTar(source: Source): Parts {
  const entries: Part[] = []
  let longName: Buffer | null = null
  let longSize: number | null = null
  let at = 0
  let isWhole = true
  while (at + block <= source.size) {
    const header = source.read(at, at + block)
    if (!isChecksumRight(header)) {
      isWhole = header.every((byte) => byte === 0)
      break
    }
    const type = header.toString('latin1', 156, 157)
    const size = longSize ?? sizeOf(header.subarray(124, 136))
    const start = at + block
    const end = Math.min(source.size, start + size)
    if (type === 'L') longName = untilZero(source.read(start, Math.min(end, start + longest)))
    else if (type === 'x') {
      const records = source.read(start, Math.min(end, start + longest)).toString('latin1')
      const path = paxField(records, 'path')
      if (path !== null) longName = Buffer.from(path, 'latin1')
      longSize = statedSize(paxField(records, 'size') ?? '')
    } else {
      if (end > start) entries.push({ name: longName ?? nameOf(header), start, end })
      longName = null
      longSize = null
    }
    if (start + size > source.size) {
      isWhole = false
      break
    }
    at = start + Math.ceil(size / block) * block
  }
  return { entries, rest: uncovered(entries, source.size), problem: isWhole ? null : archiveCutOff }
}

function nameOf(header: Buffer): Buffer {
  const name = untilZero(header.subarray(0, 100))
  const prefix = untilZero(header.subarray(345, 500))
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0'
  return isUstar && prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name
}

function paxField(records: string, field: string): string | null {
  const [, value] = new RegExp(`(?:^|\\n)\\d+ ${field}=([^\\n]*)\\n`).exec(records) ?? []
  return value ?? null
}

/** `null` where it is no size: a negative one would lead back to what was read before. */
function statedSize(field: string): number | null {
  const size = /^\d{1,15}$/.test(field) ? Number(field) : 0
  return size > 0 ? size : null
}

function sizeOf(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(field.readBigUInt64BE(4) & 0x7fff_ffff_ffffn)
  return Number.parseInt(field.toString('latin1').replace(/[^0-7]/g, '') || '0', 8)
}

const digitsOnly = /^[\0 0-7]+$/

function isChecksumRight(header: Buffer): boolean {
  // Most files differ here already: a checksum ends with a zero or a space.
  if (((header[154] ?? 1) & 0xdf) !== 0 && ((header[155] ?? 1) & 0xdf) !== 0) return false
  const field = header.toString('latin1', 148, 156)
  if (!digitsOnly.test(field)) return false
  const stated = Number.parseInt(field.replace(/[^0-7]/g, ''), 8)
  if (!Number.isFinite(stated)) return false
  let sum = 8 * 32
  for (let index = 0; index < block; index++) if (index < 148 || index >= 156) sum += header[index] ?? 0
  return sum === stated
}

function untilZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end))
}
