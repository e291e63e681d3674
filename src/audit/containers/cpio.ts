import type { OpeningOf, Part, Parts } from './container-format.ts'
import type { Source } from './source.ts'

/** One header by its dialect. Sizes in bytes. */
interface Header {
  readonly size: number
  readonly nameSize: number
  /** Of itself. */
  readonly length: number
  /** What the name and the contents are filled up to. */
  readonly unit: number
}

const longestHeader = 110
const longestName = 4096
const lastName = 'TRAILER!!!'

/** Archives of Linux packages and ramdisks, in their four dialects. */
export const cpio: OpeningOf<'parts'> = {
  opens: 'parts',
  name: 'cpio',
  begins: [Buffer.from('070701'), Buffer.from([0xc7, 0x71]), Buffer.from([0x71, 0xc7])],
  read: (source) => (isCpio(source.read(0, longestHeader)) ? readCpio(source) : null),
  isHead: isCpio,
}

function isCpio(head: Buffer): boolean {
  const header = headerOf(head)
  if (header === null || header.nameSize < 2 || head[header.length] === 0) return false
  if (header.unit !== 2) return true
  // Few other files that begin with these two bytes have the type of a file and a name of a plausible length.
  const mode = head[0] === 0xc7 ? head.readUInt16LE(6) : head.readUInt16BE(6)
  return [0o4, 0o10, 0o12].includes(mode >>> 12) && header.nameSize < longestName
}

function headerOf(bytes: Buffer): Header | null {
  const text = bytes.toString('latin1')
  if (/^07070[12][0-9a-fA-F]{104}/.test(text))
    return { ...sizes(text, 16, [54, 62], [94, 102]), length: 110, unit: 4 }
  if (/^070707[0-7]{70}/.test(text)) return { ...sizes(text, 8, [65, 76], [59, 65]), length: 76, unit: 1 }
  if (bytes.length < 26) return null
  const mark = bytes.readUInt16LE(0)
  if (mark !== 0x71c7 && mark !== 0xc771) return null
  const u16 = (at: number) => (mark === 0x71c7 ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  return { size: u16(22) * 65_536 + u16(24), nameSize: u16(20), length: 26, unit: 2 }
}

type Field = readonly [start: number, end: number]

function sizes(text: string, radix: number, size: Field, nameSize: Field) {
  const read = (field: Field) => Number.parseInt(text.slice(...field), radix)
  return { size: read(size), nameSize: read(nameSize) }
}

function readCpio(source: Source): Parts {
  const entries: Part[] = []
  const rest: [number, number][] = []
  let covered = 0
  let at = 0
  let isWhole = false
  while (at < source.size) {
    const header = headerOf(source.read(at, at + longestHeader))
    if (header === null) break
    const { size, nameSize, length, unit } = header
    const up = (offset: number) => Math.ceil(offset / unit) * unit
    const nameStart = at + length
    const name = source.read(nameStart, nameStart + Math.min(nameSize, longestName)).toString('utf8')
    const own = name.replace(/\0.*$/s, '')
    if (own === lastName) {
      isWhole = true
      break
    }
    const start = up(nameStart + nameSize)
    const end = Math.min(source.size, start + size)
    if (end > start) {
      entries.push({ name: own, start, end })
      rest.push([covered, start])
      covered = end
    }
    at = up(start + size)
  }
  if (covered < source.size) rest.push([covered, source.size])
  return { entries, rest, isWhole }
}
