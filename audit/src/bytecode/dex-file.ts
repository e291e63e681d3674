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
  /** The number of its name among the types. */
  readonly type: number
  /** Its methods, from the first one to the one behind the last, among all methods with code. */
  readonly from: number
  readonly to: number
  /** The class that it extends, and the interfaces that it implements, as types. */
  parents(): readonly number[]
  /** Gives the values of static fields before the initialiser runs. */
  constants(): readonly DexConstant[]
}

export interface DexConstant {
  /** The number of the field. */
  readonly field: number
  /** `undefined` of a string. */
  readonly value: Value
  /** The number of its string, where it is one. */
  readonly string: number | null
}

/** All methods with code, class by class. They are no objects until one is asked for: there are a hundred thousand. */
export interface DexCode {
  readonly classes: readonly DexClass[]
  /** The class of a type, where the file has it. */
  classOf(type: number | undefined): DexClass | undefined
  readonly count: number
  method(place: number): DexMethod
  /** The number of a method, where its instructions begin, and where they end. */
  indexOf(place: number): number
  startOf(place: number): number
  endOf(place: number): number
}

/** The numbers of the class of a field and of its type, and of the string that is its name. */
export interface FieldParts {
  readonly owner: number
  readonly type: number
  readonly name: number
}

/** The numbers of the class of a method, of its prototype, and of the string that is its name. */
export interface MethodParts {
  readonly owner: number
  readonly prototype: number
  readonly name: number
}

export interface DexFile {
  readonly bytes: Buffer
  readonly strings: number
  readonly types: number
  readonly methods: number
  readonly fields: number
  /** Where the characters of a string are, without the byte behind them. */
  place(index: number): { readonly start: number; readonly end: number }
  text(index: number): string
  /** As `java/lang/String` for a class and `[I` for an array. */
  typeName(index: number): string
  /** The number of a type whose name was asked for before. */
  typeNamed(name: string): number | undefined
  /** As descriptors write it. */
  typeDescriptor(index: number): string
  field(index: number): MemberRef
  method(index: number): MemberRef
  /** The number of the class that a method belongs to, among the types. */
  ownerOf(method: number): number
  partsOfField(field: number): FieldParts
  partsOfMethod(method: number): MethodParts
  /** The number of the string that a type is written by in descriptors. */
  stringOfType(type: number): number
  /** Says whether a string begins with one of some texts. */
  begins(string: number, texts: readonly Buffer[]): boolean
  code(): DexCode
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
  const stringAt = (index: number) => {
    if (index >= strings.count) throw new RangeError('a string is not there')
    let start = bytes.readUInt32LE(strings.start + index * 4)
    while ((bytes.readUInt8(start) & 0x80) !== 0) start += 1
    return start + 1
  }
  // Strings do not overlap, and each is read twice at most: more than the file holds is a trap.
  let left = bytes.length * 4
  const place = (index: number) => {
    const start = stringAt(index)
    let end = start
    while (bytes[end] !== 0) if (++end >= bytes.length) throw new RangeError('a string is cut off')
    left -= end - start
    if (left < 0) throw new RangeError('the strings are longer than the file')
    return { start, end }
  }
  const text = (index: number) =>
    cached(texts, index, () => {
      const { start, end } = place(index)
      return bytes.toString('utf8', start, end)
    })
  const stringOfType = (index: number) => bytes.readUInt32LE(types.start + index * 4)
  // A name that many members share is in the keys of all of them: a long one is known by its number.
  const memberName = (index: number) => {
    const name = text(index)
    return name.length > longestName ? `…${index}` : name
  }
  const typeDescriptor = (index: number) => {
    const descriptor = text(stringOfType(index))
    return descriptor.length > longestName ? `L…${stringOfType(index)};` : descriptor
  }
  const named = new Map<string, number>()
  const typeNames = new Map<number, string>()
  const typeName = (index: number) =>
    cached(typeNames, index, () => {
      const name = nameOf(typeDescriptor(index))
      named.set(name, index)
      return name
    })
  const prototype = prototypesAt(bytes, prototypes.start, typeDescriptor)
  const [fieldRefs, methodRefs] = [new Map<number, MemberRef>(), new Map<number, MemberRef>()]
  const field = (index: number) =>
    cached(fieldRefs, index, () => {
      const at = fields.start + index * 8
      return {
        owner: typeName(bytes.readUInt16LE(at)),
        name: memberName(bytes.readUInt32LE(at + 4)),
        descriptor: typeDescriptor(bytes.readUInt16LE(at + 2)),
      }
    })
  return {
    bytes,
    strings: strings.count,
    types: types.count,
    methods: methods.count,
    fields: fields.count,
    place,
    text,
    typeName,
    typeNamed: (name) => named.get(name),
    typeDescriptor,
    field,
    method: (index) =>
      cached(methodRefs, index, () => {
        const at = methods.start + index * 8
        return {
          owner: typeName(bytes.readUInt16LE(at)),
          name: memberName(bytes.readUInt32LE(at + 4)),
          descriptor: prototype(bytes.readUInt16LE(at + 2)),
        }
      }),
    ownerOf: (method) => bytes.readUInt16LE(methods.start + method * 8),
    partsOfField: (index) => partsOfField(bytes, fields.start + index * 8),
    partsOfMethod: (index) => {
      const { owner, type: prototype, name } = partsOfField(bytes, methods.start + index * 8)
      return { owner, prototype, name }
    },
    stringOfType,
    begins: (string, some) => some.some((one) => isAt(bytes, stringAt(string), one)),
    code() {
      if (classes.count * 32 > bytes.length) throw new RangeError('a table is longer than the file')
      return codeOf(bytes, classes)
    },
  }
}

/** Reads a value at its first use. */
function cached<T>(known: Map<number, T>, index: number, read: () => T): T {
  const before = known.get(index)
  if (before !== undefined) return before
  const value = read()
  known.set(index, value)
  return value
}

/** Gives descriptors of methods by the numbers of their prototypes. */
function prototypesAt(bytes: Buffer, start: number, typeDescriptor: (type: number) => string) {
  const descriptors = new Map<number, string>()
  // Prototypes share lists of parameters, but have few of them.
  let parametersLeft = bytes.length
  return (index: number) =>
    cached(descriptors, index, () => {
      const at = start + index * 12
      const list = bytes.readUInt32LE(at + 8)
      const count = list === 0 ? 0 : Math.min(bytes.readUInt32LE(list), mostParameters)
      parametersLeft -= count
      if (parametersLeft < 0) throw new RangeError('the prototypes are longer than the file')
      const numbers = Array.from({ length: count }, (_, parameter) =>
        bytes.readUInt16LE(list + 4 + parameter * 2),
      )
      const written = numbers.map(typeDescriptor)
      const isLong = written.reduce((sum, { length }) => sum + length, 0) > longestParameters
      const parameters = isLong
        ? written.map((one, at) => (one.length > 8 ? `L…${numbers[at]};` : one))
        : written
      return `(${parameters.join('')})${typeDescriptor(bytes.readUInt32LE(at + 4))}`
    })
}

function partsOfField(bytes: Buffer, at: number): FieldParts {
  return {
    owner: bytes.readUInt16LE(at),
    type: bytes.readUInt16LE(at + 2),
    name: bytes.readUInt32LE(at + 4),
  }
}

function isAt(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text[index]) return false
  return true
}

const mostParameters = 255
/** In characters. Longer ones are in no program that puts a key together. */
const [longestName, longestParameters] = [1024, 2048]

function nameOf(descriptor: string): string {
  return descriptor.startsWith('L') ? descriptor.slice(1, -1) : descriptor
}

function codeOf(
  bytes: Buffer,
  { start, count }: { readonly start: number; readonly count: number },
): DexCode {
  const [indices, offsets, statics]: [number[], number[], boolean[]] = [[], [], []]
  // Classes share no members and methods no code: more than the file holds is a trap.
  const left = { members: bytes.length, code: bytes.length * 2 }
  const reader = { bytes, at: 0 }
  const endOf = (offset: number) => offset + bytes.readUInt32LE(offset - 4) * 2
  const methodsOf = (members: number) => {
    for (let number = 0, index = 0; number < members; number++) {
      index += uleb(reader)
      const isStatic = (uleb(reader) & 8) !== 0
      const code = uleb(reader)
      if (code === 0) continue
      const end = endOf(code + 16)
      if (end > bytes.length) throw new RangeError('a method is cut off')
      left.code -= end - code - 16
      indices.push(index)
      offsets.push(code + 16)
      statics.push(isStatic)
    }
  }
  const classAt = (at: number): DexClass => {
    const [data, values] = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 28)]
    const from = indices.length
    const fields: number[] = []
    if (data !== 0) {
      reader.at = data
      const [ofClass, ofObjects, direct, virtual] = [uleb(reader), uleb(reader), uleb(reader), uleb(reader)]
      for (let number = 0, field = 0; number < ofClass; number++) {
        field += uleb(reader)
        uleb(reader)
        if (values !== 0) fields.push(field)
      }
      for (let number = 0; number < ofObjects * 2; number++) uleb(reader)
      // The numbers of each list count anew.
      methodsOf(direct)
      methodsOf(virtual)
      left.members -= reader.at - data
    }
    if (left.members < 0 || left.code < 0) throw new RangeError('the classes are longer than the file')
    return {
      type: bytes.readUInt32LE(at),
      from,
      to: indices.length,
      parents: () => parentsAt(bytes, at),
      constants: () => (data === 0 ? [] : constantsAt(bytes, values, fields)),
    }
  }
  const classes = Array.from({ length: count }, (_, index) => classAt(start + index * 32))
  const byType = new Map(classes.map((one) => [one.type, one]))
  const indexOf = (place: number) => indices[place] ?? 0
  const startOf = (place: number) => offsets[place] ?? 0
  return {
    classes,
    classOf: (type) => (type === undefined ? undefined : byType.get(type)),
    count: indices.length,
    indexOf,
    startOf,
    endOf: (place) => endOf(startOf(place)),
    method(place) {
      const start = startOf(place)
      const [registers, ins] = [bytes.readUInt16LE(start - 16), bytes.readUInt16LE(start - 14)]
      const isStatic = statics[place] === true
      return { index: indexOf(place), isStatic, registers, ins, start, end: endOf(start) }
    },
  }
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

function constantsAt(bytes: Buffer, at: number, fields: readonly number[]): DexConstant[] {
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
    constants.push({ field, value: string === null ? valueAt(reader, kind, size) : undefined, string })
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
    const byte = reader.bytes[reader.at]
    if (byte === undefined) throw new RangeError('a number is cut off')
    reader.at += 1
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  return value >>> 0
}
