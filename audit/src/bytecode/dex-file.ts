import { type MemberRef, unknownWide, type Value } from './value.ts'

/** A method with code, by its number, and where its instructions are: offsets in the file. */
export interface DexMethod {
  readonly index: number
  readonly isStatic: boolean
  readonly registers: number
  /** How many of the registers, the last ones, are arguments. */
  readonly ins: number
  readonly start: number
  readonly end: number
}

export interface DexClass {
  readonly name: string
  /** The class that it extends, and the interfaces that it implements. */
  readonly parents: readonly string[]
  readonly methods: readonly DexMethod[]
  /** How many bytes its list of members takes. */
  readonly size: number
  /** Gives the values of static fields before the initialiser runs. */
  constants(): readonly DexConstant[]
}

export interface DexConstant {
  /** The number of the field. */
  readonly field: number
  readonly value: Value
  /** The number of its string, where it is one. */
  readonly string: number | null
}

export interface DexFile {
  readonly bytes: Buffer
  readonly strings: number
  readonly types: number
  readonly methods: number
  /** Where the characters of a string are, without the byte behind them. */
  place(index: number): { readonly start: number; readonly end: number }
  text(index: number): string
  /** As `java/lang/String` for a class and `[I` for an array. */
  typeName(index: number): string
  /** As descriptors write it. */
  typeDescriptor(index: number): string
  field(index: number): MemberRef
  method(index: number): MemberRef
  /** The number of the class that a method belongs to. */
  ownerOf(method: number): number
  /** The number of the string that a method is called by. */
  nameOf(method: number): number
  classes(): readonly DexClass[]
}

const headers = { strings: 56, types: 64, prototypes: 72, fields: 80, methods: 88, classes: 96 } as const

/** Reads the tables of a DEX file as they are asked for. @throws RangeError where they do not parse */
export function readDexFile(bytes: Buffer): DexFile {
  const table = (name: keyof typeof headers) => ({
    count: bytes.readUInt32LE(headers[name]),
    start: bytes.readUInt32LE(headers[name] + 4),
  })
  const [strings, types, prototypes] = [table('strings'), table('types'), table('prototypes')]
  const [fields, methods, classes] = [table('fields'), table('methods'), table('classes')]
  if (Math.max(strings.count * 4, types.count * 4, methods.count * 8) > bytes.length)
    throw new RangeError('a table is longer than the file')
  const texts = new Map<number, string>()
  const cached = <T>(known: Map<number, T>, index: number, read: () => T): T => {
    const before = known.get(index)
    if (before !== undefined) return before
    const value = read()
    known.set(index, value)
    return value
  }
  const place = (index: number) => {
    if (index >= strings.count) throw new RangeError('a string is not there')
    let start = bytes.readUInt32LE(strings.start + index * 4)
    while ((bytes.readUInt8(start) & 0x80) !== 0) start += 1
    const end = bytes.indexOf(0, start + 1)
    if (end === -1) throw new RangeError('a string is cut off')
    return { start: start + 1, end }
  }
  const text = (index: number) =>
    cached(texts, index, () => {
      const { start, end } = place(index)
      return bytes.toString('utf8', start, end)
    })
  const typeDescriptor = (index: number) => text(bytes.readUInt32LE(types.start + index * 4))
  const typeName = (index: number) => nameOf(typeDescriptor(index))
  const descriptors = new Map<number, string>()
  const prototype = (index: number) =>
    cached(descriptors, index, () => {
      const at = prototypes.start + index * 12
      const list = bytes.readUInt32LE(at + 8)
      const count = list === 0 ? 0 : Math.min(bytes.readUInt32LE(list), mostParameters)
      const parameters = Array.from({ length: count }, (_, parameter) =>
        typeDescriptor(bytes.readUInt16LE(list + 4 + parameter * 2)),
      )
      return `(${parameters.join('')})${typeDescriptor(bytes.readUInt32LE(at + 4))}`
    })
  const [fieldRefs, methodRefs] = [new Map<number, MemberRef>(), new Map<number, MemberRef>()]
  const field = (index: number) =>
    cached(fieldRefs, index, () => {
      const at = fields.start + index * 8
      return {
        owner: typeName(bytes.readUInt16LE(at)),
        name: text(bytes.readUInt32LE(at + 4)),
        descriptor: typeDescriptor(bytes.readUInt16LE(at + 2)),
      }
    })
  return {
    bytes,
    strings: strings.count,
    types: types.count,
    methods: methods.count,
    place,
    text,
    typeName,
    typeDescriptor,
    field,
    method: (index) =>
      cached(methodRefs, index, () => {
        const at = methods.start + index * 8
        return {
          owner: typeName(bytes.readUInt16LE(at)),
          name: text(bytes.readUInt32LE(at + 4)),
          descriptor: prototype(bytes.readUInt16LE(at + 2)),
        }
      }),
    ownerOf: (method) => bytes.readUInt16LE(methods.start + method * 8),
    nameOf: (method) => bytes.readUInt32LE(methods.start + method * 8 + 4),
    classes() {
      if (classes.count * 32 > bytes.length) throw new RangeError('a table is longer than the file')
      // Classes share no members and methods no code: more than the file holds is a trap.
      const left = { members: bytes.length, code: bytes.length * 2 }
      return Array.from({ length: classes.count }, (_, index) => {
        const one = classAt(bytes, classes.start + index * 32, typeName, text)
        left.members -= one.size
        for (const { start, end } of one.methods) left.code -= end - start
        if (left.members < 0 || left.code < 0) throw new RangeError('the classes are longer than the file')
        return one
      })
    },
  }
}

const mostParameters = 255

function nameOf(descriptor: string): string {
  return descriptor.startsWith('L') ? descriptor.slice(1, -1) : descriptor
}

function classAt(
  bytes: Buffer,
  at: number,
  typeName: (index: number) => string,
  text: (index: number) => string,
): DexClass {
  const data = bytes.readUInt32LE(at + 24)
  const values = bytes.readUInt32LE(at + 28)
  const name = typeName(bytes.readUInt32LE(at))
  const parents = parentsAt(bytes, at).map(typeName)
  if (data === 0) return { name, parents, methods: [], size: 0, constants: () => [] }
  const reader = { bytes, at: data }
  const counts = [uleb(reader), uleb(reader), uleb(reader), uleb(reader)] as const
  const fields: number[] = []
  for (let count = 0, field = 0; count < counts[0] + counts[1]; count++) {
    // The numbers of static fields and those of others count anew.
    field = (count === counts[0] ? 0 : field) + uleb(reader)
    uleb(reader)
    if (count < counts[0]) fields.push(field)
  }
  const methods: DexMethod[] = []
  for (let count = 0, index = 0; count < counts[2] + counts[3]; count++) {
    index = (count === counts[2] ? 0 : index) + uleb(reader)
    const isStatic = (uleb(reader) & 8) !== 0
    const code = uleb(reader)
    if (code !== 0) methods.push(methodAt(bytes, code, index, isStatic))
  }
  const size = reader.at - data
  return { name, parents, methods, size, constants: () => constantsAt(bytes, values, fields, text) }
}

const noType = 0xffff_ffff

function parentsAt(bytes: Buffer, at: number): number[] {
  const extended = bytes.readUInt32LE(at + 8)
  const list = bytes.readUInt32LE(at + 12)
  const count = list === 0 ? 0 : Math.min(bytes.readUInt32LE(list), mostInterfaces)
  const implemented = Array.from({ length: count }, (_, index) => bytes.readUInt16LE(list + 4 + index * 2))
  return extended === noType ? implemented : [extended, ...implemented]
}

const mostInterfaces = 64

function methodAt(bytes: Buffer, code: number, index: number, isStatic: boolean): DexMethod {
  const start = code + 16
  const end = start + bytes.readUInt32LE(code + 12) * 2
  if (end > bytes.length) throw new RangeError('a method is cut off')
  const [registers, ins] = [bytes.readUInt16LE(code), bytes.readUInt16LE(code + 2)]
  return { index, isStatic, registers, ins, start, end }
}

function constantsAt(
  bytes: Buffer,
  at: number,
  fields: readonly number[],
  text: (index: number) => string,
): DexConstant[] {
  if (at === 0) return []
  const reader = { bytes, at }
  const count = Math.min(uleb(reader), fields.length)
  const constants: DexConstant[] = []
  for (let index = 0; index < count; index++) {
    const head = bytes.readUInt8(reader.at)
    const [kind, size] = [head & 31, (head >> 5) + 1]
    reader.at += 1
    // Arrays and annotations end what can be read without reading them.
    if (kind === 0x1c || kind === 0x1d) break
    const field = fields[index] ?? 0
    // Null and booleans are in the head.
    if (kind >= 0x1e) {
      constants.push({ field, value: kind === 0x1f ? size - 1 : null, string: null })
      continue
    }
    const string = kind === 0x17 ? bytes.readUIntLE(reader.at, Math.min(size, 4)) : null
    constants.push({ field, value: string === null ? valueAt(reader, kind, size) : text(string), string })
    reader.at += size
  }
  return constants
}

function valueAt({ bytes, at }: Reader, kind: number, size: number): Value {
  if (kind === 0x03) return bytes.readUIntLE(at, Math.min(size, 2))
  if (kind === 0x00 || kind === 0x02 || kind === 0x04) return bytes.readIntLE(at, Math.min(size, 4))
  return kind === 0x06 || kind === 0x11 ? unknownWide : undefined
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

/** Reads a number of at most five bytes, of seven bits each. */
function uleb(reader: Reader): number {
  let value = 0
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = reader.bytes.readUInt8(reader.at)
    reader.at += 1
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  return value >>> 0
}
