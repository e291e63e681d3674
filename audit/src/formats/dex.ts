import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import type { Extent, StringTable } from '../scan/string-table.ts'
import { scanValues } from '../scan/unwrap.ts'
import type { Unwrapped } from '../scan/wrapped-values.ts'
import type { FormatFile, MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './most-strings.ts'

export const dex: MarkedFormat = {
  by: 'mark',
  name: 'dex',
  marks: [0x6465780a],
  isMeant: (bytes) => /^\d{3}\0$/.test(bytes.toString('latin1', 4, 8)),
  lengthAt: 32,
  read: readDex,
  async readMore(audit, file) {
    auditArrays(audit, file)
    const { foldDex } = await import('../bytecode/fold-dex.ts')
    foldDex(audit, file)
  },
  injectors: async () => [(await import('../self-test/injectors/dex.ts')).dex],
}

/**
 * Dalvik executable: every entry of `string_ids`. Those that name types, fields, methods, prototypes and source files
 * are names, unless the code also loads them as a constant.
 */
function readDex(bytes: Buffer): StringTable {
  const size = bytes.readUInt32LE(32)
  if (size > bytes.length) throw new RangeError('the file is cut off')
  const count = bytes.readUInt32LE(56)
  const table = bytes.readUInt32LE(60)
  assertHoldable(count)
  const isName = namesOf(bytes, count)
  const extents: Extent[] = []
  let low = bytes.length
  let high = 0
  let walked = 0
  for (let index = 0; index < count; index++) {
    let start = bytes.readUInt32LE(table + index * 4)
    const from = start
    while ((bytes.readUInt8(start) & 0x80) !== 0) start += 1
    start += 1
    if (start - from > longestLength) throw new RangeError('a length is no number')
    const end = bytes.indexOf(0, start)
    if (end === -1) throw new RangeError('a string is cut off')
    walked += end - start
    // Strings do not overlap: more than the file holds is a trap.
    if (walked > bytes.length * 2) throw new RangeError('the strings are longer than the file')
    low = Math.min(low, from)
    high = Math.max(high, end + 1)
    extents.push({ start, end, view: 'utf-8', role: isName[index] === 1 ? 'name' : 'value' })
  }
  return { extents, regions: high > low ? [{ start: low, end: high }] : [] }
}

/** The most bytes of a length: 32 bits in groups of seven. */
const longestLength = 5

/** Marks the strings that other tables use as names and no `const-string` loads. */
function namesOf(bytes: Buffer, strings: number): Uint8Array {
  const isName = new Uint8Array(strings)
  const rows = (header: number, width: number, fields: readonly number[]) => {
    const count = bytes.readUInt32LE(header)
    const start = bytes.readUInt32LE(header + 4)
    assertHoldable(count)
    for (let row = 0; row < count; row++)
      for (const field of fields) isName[bytes.readUInt32LE(start + row * width + field)] = 1
  }
  rows(64, 4, [0])
  rows(72, 12, [0])
  rows(80, 8, [4])
  rows(88, 8, [4])
  rows(96, 32, [16])
  const code = bytes.readUInt32LE(108)
  for (let at = code - (code % 2); at + 4 <= bytes.length; at += 2) {
    const opcode = bytes[at]
    if (opcode === 0x1a) isName[bytes.readUInt16LE(at + 2)] = 0
    else if (opcode === 0x1b && at + 6 <= bytes.length) isName[bytes.readUInt32LE(at + 2)] = 0
  }
  return isName
}

/** Arrays whose numbers spell something only as bytes, or under a mask; strings are found in the bytes of the file. */
function auditArrays(audit: ScanContext, { location, bytes }: FormatFile): void {
  scanValues(audit, { location, format: dex.name, bytes, isText: false }, arraysOf(audit, bytes))
}

/** Bounds of an array in elements: a shorter one cannot contain a key, a longer one is not decoded. */
const leastElements = 16
const mostElements = 200_000
/** An element is a separate number before it is a byte. */
const stepsOfElement = 4
/** In bytes. */
const widths = [1, 2, 4]

/** Bytes that `fill-array-data` fills arrays of 8, 16 and 32 bits with: the mark, the width, the count, the elements. */
function* arraysOf({ effort }: ScanContext, bytes: Buffer): Generator<Unwrapped> {
  const words = wordsOf(bytes)
  for (let index = nextMark(words, 0); index + 1 < words.length; index = nextMark(words, index + 1)) {
    const width = (words[index] as number) >>> 16
    const count = words[index + 1] as number
    if (!widths.includes(width) || count < leastElements || count > mostElements) continue
    const start = index * 4
    const end = start + 8 + count * width
    if (end > bytes.length) continue
    // Arrays may be in arrays.
    pay(effort, count * stepsOfElement)
    const value = elementsOf(bytes, start + 8, count, width)
    if (value !== null) yield { bytes: value, start, end, encoding: 'numbers' }
  }
}

/** Finds the next mark of an array, with its width. A function by itself: every word of a file passes through here. */
function nextMark(words: Uint32Array, from: number): number {
  let index = from
  while (index < words.length && ((words[index] as number) & 0xff00_ffff) !== 0x0300) index += 1
  return index
}

/** Returns the bytes as 32-bit words in little endian, aligned to four bytes. */
function wordsOf(bytes: Buffer): Uint32Array {
  const count = bytes.length >>> 2
  return bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, count)
    : new Uint32Array(new Uint8Array(bytes.subarray(0, count * 4)).buffer)
}

/** Elements of 8 bits, signed or not, as bytes; `null` where one is larger. */
function elementsOf(bytes: Buffer, start: number, count: number, width: number): Buffer | null {
  if (width === 1) return bytes.subarray(start, start + count)
  const elements = Buffer.allocUnsafe(count)
  for (let index = 0; index < count; index++) {
    const element = bytes.readIntLE(start + index * width, width)
    if (element > 255 || element < -128) return null
    elements[index] = element
  }
  return elements
}
