import { pay } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { createIndex, type Extent, type StringTable } from '../scan/string-table.ts'
import type { FormatFile, MarkedFormat } from './audited-format.ts'
import { joinPieces, longestWordIn, type Piece } from './join-pieces.ts'
import { assertHoldable, mostStrings } from './most-strings.ts'
import { type Image, offsetOf, type Reference, type Segment } from './native/image.ts'
import { pairsIn, referencedStrings } from './native/referenced-strings.ts'
import { createNulReader, type Place } from './nul-strings.ts'
import { reportJoined } from './report-joined.ts'

const [custom, imports, exports, code, data] = [0, 2, 7, 10, 11]
const [global, smallConstant, wideConstant, ending] = [0x23, 0x41, 0x42, 0x0b]
/** A larger segment is a whole memory, in which strings may be packed without an end. */
const smallSegment = 1024

export const wasm: MarkedFormat = {
  by: 'mark',
  name: 'wasm',
  marks: [0x0061736d],
  packsStrings: true,
  read: readWasm,
  readMore: readWasmPieces,
  injectors: async () => [(await import('../self-test/injectors/wasm.ts')).webAssembly],
}

/** A memory with more than several times what the file holds is mostly empty, or a trap. */
const mostMemory = 4
/** Bytes of code behind an address in which its length may be loaded. */
const reach = 24

/**
 * WebAssembly: names of imports, exports and functions are names. A string has the length that code or data state beside its
 * address; a small data segment without such a string is a value by itself.
 */
function readWasm(bytes: Buffer): StringTable {
  const { names, segments, bodies } = partsOf(bytes)
  return { extents: [...names, ...valuesIn(bytes, segments, bodies)], regions: [] }
}

interface Parts {
  readonly names: Extent[]
  readonly segments: Segment[]
  readonly bodies: Place[]
}

function partsOf(bytes: Buffer): Parts {
  const parts: Parts = { names: [], segments: [], bodies: [] }
  const name = (cursor: Cursor) => {
    const { start, end } = cursor.vector()
    assertHoldable(parts.names.length)
    parts.names.push({ start, end, view: 'utf-8', role: 'name' })
  }
  const file = cursorAt(bytes, 8, bytes.length)
  while (!file.isAtEnd()) {
    const id = file.byte()
    const { start, end } = file.vector()
    const section = cursorAt(bytes, start, end)
    if (id === custom) readCustom(bytes, section, end, name)
    else if (id === imports)
      repeat(section, () => {
        name(section)
        name(section)
        readImport(section)
      })
    else if (id === exports)
      repeat(section, () => {
        name(section)
        section.byte()
        section.number()
      })
    else if (id === code) parts.bodies.push({ start, end })
    else if (id === data) repeat(section, () => parts.segments.push(readSegment(section)))
  }
  return parts
}

/** Languages that end a string with a zero refer to none with its length. */
function valuesIn(bytes: Buffer, segments: readonly Segment[], bodies: readonly Place[]): Extent[] {
  const image = { segments: segments.filter(({ address }) => address !== -1), machine: null, isLittle: true }
  const stated = referencedStrings(bytes, {
    ...image,
    isWide: false,
    loaded: referencesIn(bytes, image, bodies),
  })
  const statedIn = createIndex(stated)
  const stringsIn = createNulReader(bytes, { isEndedByPlace: true })
  const small = segments.filter(
    ({ start, end }) => end - start <= smallSegment && statedIn(start, end).next().done === true,
  )
  return [...stated, ...small.flatMap((segment) => stringsIn(segment, 'value'))]
}

/** Linkers leave zeros out, also in the middle of an address and its length: both are read in the memory. */
function* referencesIn(bytes: Buffer, { segments }: Pick<Image, 'segments'>, bodies: readonly Place[]) {
  yield* lengthsIn(bytes, bodies)
  const address = segments.reduce(
    (least, segment) => Math.min(least, segment.address),
    Number.POSITIVE_INFINITY,
  )
  const last = segments.reduce(
    (most, segment) => Math.max(most, segment.address + segment.end - segment.start),
    0,
  )
  const size = last - address
  if (segments.length === 0 || size > bytes.length * mostMemory) return
  const memory = Buffer.alloc(size + 8)
  for (const segment of segments) bytes.copy(memory, segment.address - address, segment.start, segment.end)
  const whole = { segments: [{ start: 0, end: memory.length, address }], machine: null, isLittle: true }
  for (const isWide of [false, true]) yield* pairsIn(memory, { ...whole, isWide })
}

/** Constants that may be addresses, each with the next constant of the same width behind it. */
function* lengthsIn(bytes: Buffer, bodies: readonly Place[]): Generator<Reference> {
  for (const { start, end } of bodies)
    for (let at = start; at < end; at++) {
      const address = constantAt(bytes, at, end)
      if (address === null) continue
      const last = Math.min(end, address.next + reach)
      let length = null
      for (let place = address.next; length === null && place < last; place++)
        if (bytes[place] === bytes[at]) length = constantAt(bytes, place, end)
      if (length !== null) yield [address.value, length.value]
    }
}

/** A positive constant that code loads at a place, and that it neither adds to something nor compares. */
function constantAt(bytes: Buffer, at: number, end: number): { value: number; next: number } | null {
  if (bytes[at] !== smallConstant && bytes[at] !== wideConstant) return null
  let value = 0
  for (let next = at + 1; next < Math.min(end, at + 6); next++) {
    const part = bytes[next] ?? 0
    value += (part & 0x7f) * 128 ** (next - at - 1)
    if (part < 0x80)
      return (part & 0x40) === 0 && !isNumeric(bytes[next + 1]) ? { value, next: next + 1 } : null
  }
  return null
}

/** Reports the keys whose pieces code loads one after the other. */
async function readWasmPieces(audit: ScanContext, file: FormatFile): Promise<void> {
  const { bytes } = file
  const { prefix, leastSuffix, effort } = audit
  const word = longestWordIn(prefix)
  const isWide = bytes.includes(Buffer.from(word, 'utf16le'))
  if (!isWide && !bytes.includes(word)) return
  const parts = partsOrNull(bytes)
  if (parts === null) return
  pay(effort, bytes.length)
  const pieces: Piece[] = []
  for (const piece of isWide ? textsOfAssemblyScript(bytes, parts) : textsWithLengths(bytes, parts)) {
    if (pieces.length === mostStrings) break
    pieces.push(piece)
  }
  const made = joinPieces(pieces, prefix, leastSuffix)
  for (const table of isWide ? tablesOfAssemblyScript(bytes, parts) : [])
    made.push(...joinPieces(table, prefix, leastSuffix))
  await reportJoined(audit, file, made)
}

function partsOrNull(bytes: Buffer): Parts | null {
  try {
    return partsOf(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const longestText = 512

function* textsOfAssemblyScript(bytes: Buffer, { segments, bodies }: Parts): Generator<Piece> {
  const inMemory = byAddress(segments)
  for (const { start, end } of bodies)
    for (let at = start; at < end; at++) {
      const address = bytes[at] === smallConstant ? constantAt(bytes, at, end) : null
      const piece = address === null ? null : textOfAssemblyScript(bytes, inMemory, address.value)
      if (piece !== null) yield piece
    }
}

/** Addresses of texts beside each other in the data. */
function* tablesOfAssemblyScript(bytes: Buffer, { segments }: Parts): Generator<Piece[]> {
  const inMemory = byAddress(segments)
  for (const { start, end } of inMemory.segments) {
    let table: Piece[] = []
    for (let at = start; at < end; at += 4) {
      // The zeros at the end of a segment may be left out.
      const piece = textOfAssemblyScript(bytes, inMemory, bytes.readUIntLE(at, Math.min(4, end - at)))
      if (piece !== null) table.push(piece)
      if (piece !== null && at + 4 < end) continue
      if (table.length > 1) yield table
      table = []
    }
  }
}

/** A text of UTF-16 behind the number of its class and its length. */
function textOfAssemblyScript(
  bytes: Buffer,
  inMemory: Pick<Image, 'segments'>,
  address: number,
): Piece | null {
  const offset = offsetOf(inMemory, address)
  if (offset < 8) return null
  const [kind, length] = [bytes.readUInt32LE(offset - 8), bytes.readUInt32LE(offset - 4)]
  if (!classesOfStrings.has(kind) || length % 2 === 1 || length > 2 * longestText) return null
  const text = bytes.toString('utf16le', offset, offset + length)
  return /^[\x20-\x7e]+$/.test(text) ? { text, offset } : null
}

/** By the version of the compiler. */
const classesOfStrings = new Set([1, 2])

function* textsWithLengths(bytes: Buffer, { segments, bodies }: Parts): Generator<Piece> {
  const inMemory = byAddress(segments)
  for (const [address, length] of lengthsIn(bytes, bodies)) {
    const offset = length > 0 && length <= longestText ? offsetOf(inMemory, address) : -1
    if (offset < 1 || offset + length > bytes.length) continue
    const text = bytes.toString('latin1', offset, offset + length)
    if (/^[\x20-\x7e]+$/.test(text)) yield { text, offset }
  }
}

function byAddress(segments: readonly Segment[]): Pick<Image, 'segments'> {
  return {
    segments: segments
      .filter(({ address }) => address !== -1)
      .sort((one, other) => one.address - other.address),
  }
}

interface Cursor {
  byte(): number
  /** LEB128, unsigned; a signed one is skipped as well. */
  number(): number
  vector(): { start: number; end: number }
  isAtEnd(): boolean
  place(): number
}

function cursorAt(bytes: Buffer, from: number, to: number): Cursor {
  let at = from
  const byte = () => {
    if (at >= to) throw new RangeError('a section is cut off')
    at += 1
    return bytes.readUInt8(at - 1)
  }
  const number = () => {
    let value = 0
    for (let shift = 0; shift < 63; shift += 7) {
      const part = byte()
      value += (part & 0x7f) * 2 ** shift
      if (part < 0x80) return value
    }
    throw new RangeError('a number does not end')
  }
  const vector = () => {
    const length = number()
    const start = at
    if (start + length > to) throw new RangeError('a vector is longer than its section')
    at = start + length
    return { start, end: at }
  }
  return { byte, number, vector, isAtEnd: () => at >= to, place: () => at }
}

/** Operators take what was loaded before them. */
function isNumeric(opcode = 0): boolean {
  return opcode >= 0x45 && opcode <= 0xc4
}

function repeat(cursor: Cursor, each: () => void): void {
  for (let count = cursor.number(); count > 0; count--) each()
}

function readImport(section: Cursor): void {
  const kind = section.byte()
  if (kind === 0) section.number()
  else if (kind === 1) {
    section.byte()
    readLimits(section)
  } else if (kind === 2) readLimits(section)
  else if (kind === 3) {
    section.byte()
    section.byte()
  } else {
    section.byte()
    section.number()
  }
}

function readLimits(section: Cursor): void {
  const flags = section.byte()
  section.number()
  if ((flags & 1) !== 0) section.number()
}

/** The section `name`: maps of indices to names, in numbered parts; locals have one map for each function. */
function readCustom(bytes: Buffer, section: Cursor, end: number, name: (cursor: Cursor) => void): void {
  const title = section.vector()
  if (bytes.toString('latin1', title.start, title.end) !== 'name') return
  while (section.place() < end) {
    const part = section.byte()
    const { start, end: last } = section.vector()
    const names = cursorAt(bytes, start, last)
    const entry = () => {
      names.number()
      name(names)
    }
    if (part === 0) name(names)
    else if (part === 2 || part === 3)
      repeat(names, () => {
        names.number()
        repeat(names, entry)
      })
    else repeat(names, entry)
  }
}

/** A segment with its address; -1 where the code copies it to a place. */
function readSegment(section: Cursor): Segment {
  const kind = section.number()
  if (kind === 2) section.number()
  let address = -1
  if (kind !== 1)
    for (let opcode = section.byte(); opcode !== ending; opcode = section.byte())
      if (opcode === smallConstant || opcode === wideConstant) address = section.number()
      else if (opcode === global) section.number()
  return { ...section.vector(), address }
}
