import { assertHoldable } from '../formats/most-strings.ts'
import { keyOf, type MemberRef } from './value.ts'

/** A method with code: where its instructions are, and how many arguments come before its variables. */
export interface AssemblyMethod extends MemberRef {
  readonly isStatic: boolean
  readonly args: number
  readonly start: number
  readonly end: number
}

export interface Assembly {
  readonly bytes: Buffer
  readonly methods: readonly AssemblyMethod[]
  /** Its texts that code loads, as ranges of the file in UTF-16. */
  readonly texts: readonly { readonly start: number; readonly end: number }[]
  /** Where the text is that a token of code means. */
  placeOf(token: number): number
  /** The text that a token of code means; `undefined` for one that is not there. */
  text(token: number): string | undefined
  /** A method or a field by its token. @throws RangeError where there is none */
  member(token: number): MemberRef
  isStatic(token: number): boolean
  /** The name of a type by its token. */
  typeName(token: number): string
  /** The class that a class extends, and the interfaces that it implements, by their names. */
  parents(owner: string): readonly string[]
  /** Where the bytes are that fields begin with: arrays of constants. */
  data(): readonly { readonly start: number; readonly end: number }[]
  /** The bytes that a field begins with; `null` where it begins empty. */
  dataOf(token: number): Buffer | null
}

/** Columns of each table: `S` `G` `B` a place in a heap, digits so many bytes, `tN` a row of a table, `cX` one of several. */
const schemas: readonly string[] = [
  '2 S G G G',
  'cResolution S S',
  '4 S S cTypeDefOrRef t4 t6',
  't4',
  '2 S B',
  't6',
  '4 2 2 S B t8',
  't8',
  '2 2 S',
  't2 cTypeDefOrRef',
  'cParent S B',
  '2 cConstant B',
  'cCustom cCustomType B',
  'cMarshal B',
  '2 cSecurity B',
  '2 4 t2',
  '4 t4',
  'B',
  't2 t20',
  't20',
  '2 S cTypeDefOrRef',
  't2 t23',
  't23',
  '2 S B',
  '2 t6 cSemantics',
  't2 cMethod cMethod',
  'S',
  'B',
  '2 cForwarded S t26',
  '4 t4',
  '4 4',
  '4',
  '4 2 2 2 2 4 B S S',
  '4',
  '4 4 4',
  '2 2 2 2 4 B S S B',
  '4 t35',
  '4 4 4 t35',
  '4 S B',
  '4 4 S S cImplementation',
  '4 4 S cImplementation',
  't2 t2',
  '2 2 cOwner S',
  'cMethod B',
  't42 cTypeDefOrRef',
]

/** The tables that a coded column may mean; the number of one is in its lowest bits. */
const coded: Readonly<Record<string, readonly number[]>> = {
  Resolution: [0, 26, 35, 1],
  TypeDefOrRef: [2, 1, 27],
  Parent: [2, 1, 26, 6, 27],
  Constant: [4, 8, 23],
  Custom: [6, 4, 1, 2, 8, 9, 10, 0, 14, 23, 20, 17, 26, 27, 32, 35, 38, 39, 40, 42, 44, 43],
  CustomType: [0, 0, 6, 10, 0],
  Marshal: [4, 8],
  Security: [2, 6, 32],
  Semantics: [20, 23],
  Method: [6, 10],
  Forwarded: [4, 6],
  Implementation: [38, 35, 39],
  Owner: [2, 6],
}

const [typeRefs, typeDefs, fields, methodDefs, memberRefs, typeSpecs, fieldData, methodSpecs] = [
  1, 2, 4, 6, 10, 27, 29, 43,
]
const [implemented, layouts, nestedTypes, mostRows] = [9, 15, 41, 2_000_000]

export function isAssembly(bytes: Buffer): boolean {
  try {
    return headerOf(bytes) !== null
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

interface Header {
  readonly metadata: number
  offsetOf(address: number): number
}

function headerOf(bytes: Buffer): Header | null {
  const start = bytes.readUInt32LE(0x3c)
  if (bytes.readUInt32LE(start) !== 0x4550) return null
  const optional = start + 24
  const directories = optional + (bytes.readUInt16LE(optional) === 0x20b ? 112 : 96)
  const runtime = bytes.readUInt32LE(directories + 14 * 8)
  if (runtime === 0) return null
  const sections = optional + bytes.readUInt16LE(start + 20)
  const count = bytes.readUInt16LE(start + 6)
  const offsetOf = (address: number) => {
    for (let index = 0; index < count; index++) {
      const at = sections + index * 40
      const first = bytes.readUInt32LE(at + 12)
      if (address >= first && address < first + bytes.readUInt32LE(at + 16))
        return address - first + bytes.readUInt32LE(at + 20)
    }
    throw new RangeError('an address is in no section')
  }
  const metadata = offsetOf(bytes.readUInt32LE(offsetOf(runtime) + 8))
  return bytes.readUInt32LE(metadata) === 0x424a5342 ? { metadata, offsetOf } : null
}

interface Heaps {
  readonly strings: number
  readonly blobs: number
}

function namesIn(bytes: Buffer, tables: Tables, { strings, blobs }: Heaps) {
  const name = (offset: number) => {
    const start = strings + offset
    const length = bytes.subarray(start, start + longestName).indexOf(0)
    return length === -1 ? '' : bytes.toString('utf8', start, start + length)
  }
  let level = 0
  const names = new Map<number, string>()
  /** Types that are in others, which have the same names as those in further ones. */
  const around = new Map<number, number>()
  for (let row = 1; row <= tables.rows(nestedTypes); row++)
    around.set(tables.cell(nestedTypes, row, 0), tables.cell(nestedTypes, row, 1))
  const typeName = (token: number): string => {
    const known = names.get(token)
    if (known !== undefined) return known
    if (level > deepestType) throw new RangeError('a type is too deep')
    level += 1
    const read = readTypeName(token)
    level -= 1
    names.set(token, read)
    return read
  }
  const readTypeName = (token: number): string => {
    const [table, row] = [token >>> 24, token & 0xffffff]
    if (table === typeDefs || table === typeRefs) {
      const own = name(tables.cell(table, row, 1))
      const outer = table === typeDefs ? around.get(row) : undefined
      if (outer !== undefined) return `${typeName((typeDefs << 24) | outer)}+${own}`
      const space = name(tables.cell(table, row, 2)).replaceAll('.', '/')
      return space === '' ? own : `${space}/${own}`
    }
    if (table !== typeSpecs) return ''
    const signature = blobAt(bytes, blobs + tables.cell(typeSpecs, row, 0))
    return readType({ bytes: signature, at: 0 }, typeName).replace(/^L|;$/g, '')
  }
  return { name, typeName }
}

function membersIn(
  bytes: Buffer,
  tables: Tables,
  { blobs }: Heaps,
  { name, typeName }: ReturnType<typeof namesIn>,
) {
  const signatureAt = (blob: number) => signatureOf(blobAt(bytes, blobs + blob), typeName)
  const ownerOf = (column: number) => {
    const last = tables.rows(typeDefs)
    return (row: number) => {
      let [low, high] = [1, last]
      while (low < high) {
        const middle = (low + high + 1) >>> 1
        if (tables.cell(typeDefs, middle, column) <= row) low = middle
        else high = middle - 1
      }
      return typeName((typeDefs << 24) | low)
    }
  }
  const [ownerOfField, ownerOfMethod] = [ownerOf(4), ownerOf(5)]
  const methodRef = (row: number) => {
    const own = name(tables.cell(methodDefs, row, 3))
    const { descriptor } = signatureAt(tables.cell(methodDefs, row, 4))
    return { owner: ownerOfMethod(row), name: initialisers[own] ?? own, descriptor }
  }
  const readMember = (token: number): MemberRef => {
    const [table, row] = [token >>> 24, token & 0xffffff]
    if (row === 0 || row > tables.rows(table)) throw new RangeError('a member is not there')
    if (table === methodDefs) return methodRef(row)
    if (table === methodSpecs) return readMember(tables.coded(methodSpecs, row, 0))
    if (table === fields)
      return { owner: ownerOfField(row), name: name(tables.cell(fields, row, 1)), descriptor: '' }
    if (table !== memberRefs) throw new RangeError('a member is of an unknown kind')
    const own = name(tables.cell(memberRefs, row, 1))
    const blob = tables.cell(memberRefs, row, 2)
    const isField = blobAt(bytes, blobs + blob)[0] === 6
    const parent = tables.coded(memberRefs, row, 0)
    const owner = parent >>> 24 === methodDefs ? '' : typeName(parent)
    const descriptor = isField ? '' : signatureAt(blob).descriptor
    return { owner, name: initialisers[own] ?? own, descriptor }
  }
  return { signatureAt, methodRef, readMember }
}

/** Reads the tables of an assembly. @throws RangeError where they do not parse */
export function readAssembly(bytes: Buffer): Assembly {
  const header = headerOf(bytes)
  if (header === null) throw new RangeError('not an assembly')
  const heaps = heapsOf(bytes, header.metadata)
  const tables = readTables(bytes, heaps.get('#~') ?? heaps.get('#-') ?? 0)
  const strings = heaps.get('#Strings') ?? 0
  const blobs = heaps.get('#Blob') ?? 0
  const userStrings = heaps.get('#US') ?? 0
  const names = namesIn(bytes, tables, { strings, blobs })
  const { signatureAt, methodRef, readMember } = membersIn(bytes, tables, { strings, blobs }, names)
  const refs = new Map<number, MemberRef>()
  const sizes = sizesIn(tables)
  const dataIn = (row: number) => {
    const start = header.offsetOf(tables.cell(fieldData, row, 0))
    const signature = blobAt(bytes, blobs + tables.cell(fields, tables.cell(fieldData, row, 1), 2))
    const size = sizeOf(signature, (type) => sizes.get(type) ?? 0)
    return { start, end: Math.min(bytes.length, start + size) }
  }
  const dataRows = new Map<number, number>()
  for (let row = tables.rows(fieldData); row >= 1; row--) dataRows.set(tables.cell(fieldData, row, 1), row)
  const methods: AssemblyMethod[] = []
  let left = bytes.length * 2
  let numbers = bytes.length * 4
  for (let row = 1; row <= tables.rows(methodDefs); row++) {
    const address = tables.cell(methodDefs, row, 0)
    if (address === 0) continue
    const body = bodyAt(bytes, header.offsetOf(address))
    // Methods share no code: more than the file holds is a trap.
    left -= body.end - body.start
    if (left < 0) throw new RangeError('the methods are longer than the file')
    const { isStatic, parameters } = signatureAt(tables.cell(methodDefs, row, 4))
    methods.push({ ...methodRef(row), isStatic, args: parameters + (isStatic ? 0 : 1), ...body })
  }
  return {
    bytes,
    methods,
    texts: textsIn(bytes, userStrings, heaps.size === 0 ? 0 : userStrings + (heaps.get('#US size') ?? 0)),
    placeOf: (token) => {
      const at = userStrings + (token & 0xffffff)
      return at < bytes.length ? lengthAt(bytes, at).start : -1
    },
    text(token) {
      const at = userStrings + (token & 0xffffff)
      const { start, length } = lengthAt(bytes, at)
      if (length > longestText * 2) return undefined
      return length === 0 ? '' : bytes.toString('utf16le', start, start + length - 1)
    },
    member(token) {
      const known = refs.get(token)
      if (known !== undefined) return known
      const member = readMember(token)
      refs.set(token, member)
      return member
    },
    isStatic(token) {
      const [table, row] = [token >>> 24, token & 0xffffff]
      const method = table === methodSpecs ? tables.coded(methodSpecs, row, 0) : token
      const own = method & 0xffffff
      const isOwn = method >>> 24 === methodDefs
      const blob = isOwn ? tables.cell(methodDefs, own, 4) : tables.cell(memberRefs, own, 2)
      return signatureAt(blob).isStatic
    },
    typeName: names.typeName,
    parents: createParents(tables, names.typeName),
    data: () => Array.from({ length: tables.rows(fieldData) }, (_, index) => dataIn(index + 1)),
    dataOf(token) {
      const row = dataRows.get(token & 0xffffff)
      if (row === undefined) return null
      const { start, end } = dataIn(row)
      numbers -= end - start
      return numbers < 0 ? null : bytes.subarray(start, end)
    },
  }
}

function createParents(
  tables: Tables,
  typeName: (token: number) => string,
): (owner: string) => readonly string[] {
  let known: Map<string, string[]> | null = null
  const read = () => {
    const parents = new Map<string, string[]>()
    const add = (row: number, token: number) => {
      if ((token & 0xffffff) === 0) return
      const owner = typeName((typeDefs << 24) | row)
      const own = parents.get(owner) ?? []
      own.push(typeName(token))
      parents.set(owner, own)
    }
    for (let row = 1; row <= tables.rows(typeDefs); row++) add(row, tables.coded(typeDefs, row, 3))
    for (let row = 1; row <= tables.rows(implemented); row++)
      add(tables.cell(implemented, row, 0), tables.coded(implemented, row, 1))
    return parents
  }
  return (owner) => {
    known ??= read()
    return known.get(owner) ?? []
  }
}

const longestName = 1024
const longestText = 4096
const deepestType = 20

/** The names that the machine knows initialisers by. */
const initialisers: Readonly<Record<string, string>> = { '.ctor': '<init>', '.cctor': '<clinit>' }

/** Gives the size of each type that says it. */
function sizesIn(tables: Tables): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>()
  for (let row = 1; row <= tables.rows(layouts); row++)
    sizes.set(tables.cell(layouts, row, 2), tables.cell(layouts, row, 1))
  return sizes
}

/** The size of a field by its signature: a number, or a value of a type that says how large it is. */
function sizeOf(signature: Buffer, ofType: (row: number) => number): number {
  const kind = signature[1] ?? 0
  if (kind === 0x11) {
    const { length: token } = lengthAt(signature, 2)
    return (token & 3) === 0 ? ofType(token >>> 2) : 0
  }
  if (kind === 4 || kind === 5) return 1
  if (kind === 6 || kind === 7) return 2
  if (kind === 8 || kind === 9) return 4
  return kind === 10 || kind === 11 ? 8 : 0
}

function heapsOf(bytes: Buffer, metadata: number): Map<string, number> {
  const heaps = new Map<string, number>()
  const streams = metadata + 16 + bytes.readUInt32LE(metadata + 12)
  let at = streams + 4
  for (let left = Math.min(bytes.readUInt16LE(streams + 2), 16); left > 0; left--) {
    const end = bytes.indexOf(0, at + 8)
    const name = bytes.toString('latin1', at + 8, end)
    heaps.set(name, metadata + bytes.readUInt32LE(at))
    heaps.set(`${name} size`, bytes.readUInt32LE(at + 4))
    at += 8 + ((name.length + 4) & ~3)
  }
  return heaps
}

interface Tables {
  rows(table: number): number
  cell(table: number, row: number, column: number): number
  coded(table: number, row: number, column: number): number
}

function readTables(bytes: Buffer, start: number): Tables {
  const wide = bytes.readUInt8(start + 6)
  const valid = bytes.readBigUInt64LE(start + 8)
  const counts = new Array<number>(64).fill(0)
  let at = start + 24
  for (let table = 0; table < 64; table++) {
    if (((valid >> BigInt(table)) & 1n) === 0n) continue
    counts[table] = bytes.readUInt32LE(at)
    if ((counts[table] ?? 0) > mostRows) throw new RangeError('a table is longer than any')
    at += 4
  }
  const widthOf = (column: string): number => {
    if (column === 'S') return (wide & 1) === 0 ? 2 : 4
    if (column === 'G') return (wide & 2) === 0 ? 2 : 4
    if (column === 'B') return (wide & 4) === 0 ? 2 : 4
    if (column.startsWith('t')) return (counts[Number(column.slice(1))] ?? 0) < 0x10000 ? 2 : 4
    if (!column.startsWith('c')) return Number(column)
    const tables = coded[column.slice(1)] ?? []
    const most = Math.max(...tables.map((table) => counts[table] ?? 0))
    return most < 2 ** (16 - bitsOf(tables)) ? 2 : 4
  }
  const places = schemas.map((schema, table) => {
    const columns = schema.split(' ')
    const widths = columns.map(widthOf)
    const size = widths.reduce((sum, width) => sum + width, 0)
    const first = at
    at += size * (counts[table] ?? 0)
    const offsets = widths.map((_, index) => widths.slice(0, index).reduce((sum, width) => sum + width, 0))
    return { columns, widths, offsets, size, first }
  })
  if (at > bytes.length) throw new RangeError('the tables are longer than the file')
  const cell = (table: number, row: number, column: number) => {
    const place = places[table]
    if (place === undefined || row < 1 || row > (counts[table] ?? 0))
      throw new RangeError('a row is not there')
    const offset = place.first + (row - 1) * place.size + (place.offsets[column] ?? 0)
    return place.widths[column] === 2 ? bytes.readUInt16LE(offset) : bytes.readUInt32LE(offset)
  }
  return {
    rows: (table) => counts[table] ?? 0,
    cell,
    coded(table, row, column) {
      const tables = coded[places[table]?.columns[column]?.slice(1) ?? ''] ?? []
      const value = cell(table, row, column)
      const bits = bitsOf(tables)
      return (((tables[value & ((1 << bits) - 1)] ?? 0) << 24) | (value >>> bits)) >>> 0
    },
  }
}

function bitsOf(tables: readonly number[]): number {
  return Math.ceil(Math.log2(tables.length))
}

/** A length in one, two or four bytes, and where what it counts begins. */
function lengthAt(bytes: Buffer, at: number): { readonly start: number; readonly length: number } {
  const first = bytes.readUInt8(at)
  if (first < 0x80) return { start: at + 1, length: first }
  if (first < 0xc0) return { start: at + 2, length: ((first & 0x3f) << 8) | bytes.readUInt8(at + 1) }
  return { start: at + 4, length: bytes.readUInt32BE(at) & 0x1fff_ffff }
}

function blobAt(bytes: Buffer, at: number): Buffer {
  const { start, length } = lengthAt(bytes, at)
  return bytes.subarray(start, start + length)
}

function textsIn(bytes: Buffer, start: number, end: number): { start: number; end: number }[] {
  const texts: { start: number; end: number }[] = []
  assertHoldable((end - start) / 2)
  if (start < end && bytes[start] !== 0) throw new RangeError('the texts do not begin with the empty one')
  let at = start + 1
  while (at < Math.min(end, bytes.length)) {
    const one = lengthAt(bytes, at)
    if (one.length > 1) texts.push({ start: one.start, end: one.start + one.length - 1 })
    at = one.start + one.length
  }
  if (at > Math.max(end, start + 1)) throw new RangeError('the last text ends behind all of them')
  return texts
}

/** Instructions behind a short head, or a long one. */
function bodyAt(bytes: Buffer, at: number): { readonly start: number; readonly end: number } {
  const head = bytes.readUInt8(at)
  const isShort = (head & 3) === 2
  const start = at + (isShort ? 1 : 12)
  const end = start + (isShort ? head >>> 2 : bytes.readUInt32LE(at + 4))
  if (end > bytes.length) throw new RangeError('a method is cut off')
  return { start, end }
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

function number(reader: Reader): number {
  const { start, length } = lengthAt(reader.bytes, reader.at)
  reader.at = start
  return length
}

const mostParameters = 255

/** Writes a signature as Java's descriptors do. */
function signatureOf(
  bytes: Buffer,
  typeName: (token: number) => string,
): { readonly descriptor: string; readonly isStatic: boolean; readonly parameters: number } {
  const reader = { bytes, at: 1 }
  const convention = bytes.readUInt8(0)
  if ((convention & 0x10) !== 0) number(reader)
  const count = Math.min(number(reader), mostParameters)
  const result = readType(reader, typeName)
  const types = Array.from({ length: count }, () => readType(reader, typeName))
  return {
    descriptor: `(${types.join('')})${result}`,
    isStatic: (convention & 0x20) === 0,
    parameters: count,
  }
}

/** Types with a letter in descriptors. Those without a sign are told by none. */
const letters: Readonly<Record<number, string>> = {
  1: 'V',
  2: 'Z',
  3: 'C',
  4: 'B',
  5: 'B',
  6: 'S',
  7: 'S',
  8: 'I',
  9: 'I',
  10: 'I',
  11: 'I',
  12: 'F',
  13: 'F',
  14: 'Ljava/lang/String;',
  28: 'Ljava/lang/Object;',
}

function readType(reader: Reader, typeName: (token: number) => string, depth = 0): string {
  if (depth > 20) throw new RangeError('a type is too deep')
  const kind = reader.bytes.readUInt8(reader.at)
  reader.at += 1
  const letter = letters[kind]
  if (letter !== undefined) return letter
  const inner = () => readType(reader, typeName, depth + 1)
  switch (kind) {
    case 0x11:
    case 0x12:
      return `L${typeName(tokenIn(number(reader)))};`
    case 0x15: {
      const type = inner()
      for (let left = Math.min(number(reader), mostParameters); left > 0; left--) inner()
      return type
    }
    case 0x1d:
      return `[${inner()}`
    case 0x0f:
    case 0x10:
    case 0x45:
      return inner()
    case 0x1f:
    case 0x20:
      number(reader)
      return inner()
    case 0x13:
    case 0x1e:
      number(reader)
      return 'Ljava/lang/Object;'
    default:
      return 'I'
  }
}

function tokenIn(value: number): number {
  return (((coded['TypeDefOrRef']?.[value & 3] ?? 0) << 24) | (value >>> 2)) >>> 0
}

export function keyOfMethod(assembly: Assembly, token: number): string {
  return keyOf(assembly.member(token))
}
