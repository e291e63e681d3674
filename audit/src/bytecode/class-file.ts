import { readPool } from '../formats/constant-pool.ts'
import { keyOf, type MemberRef, parametersIn, type Value } from './value.ts'

/** A concatenation that `invokedynamic` makes, by what its bootstrap method is given. */
export interface Concatenation {
  readonly recipe: string
  readonly descriptor: string
}

export interface CodeOfMethod extends MemberRef {
  readonly isStatic: boolean
  /** Offsets of its instructions in the file. */
  readonly start: number
  readonly end: number
}

export interface ClassFile {
  readonly bytes: Buffer
  /** Its name, as `java/lang/String`. */
  readonly name: string
  /** The class that it extends, and the interfaces that it implements. */
  readonly parents: readonly string[]
  /** Its texts that the code loads, as ranges of the file. */
  readonly texts: readonly { readonly start: number; readonly end: number }[]
  classes(): string[]
  /** Offsets of its constants, by their numbers. */
  readonly places: readonly number[]
  readonly methods: readonly CodeOfMethod[]
  /** Initial values of its static fields, by their keys. */
  readonly constants: readonly (readonly [field: string, value: Value])[]
  constant(index: number): Value
  className(index: number): string
  member(index: number): MemberRef
  /** `null` where the call site makes anything but a text. */
  concatenation(index: number): Concatenation | null
  /** The method that a call site makes a lambda of; `null` where it makes anything else. */
  lambda(index: number): MemberRef | null
  /** The name and the descriptor of a call site. */
  site(index: number): Omit<MemberRef, 'owner'>
}

/** Reads the constants and methods of a class file. @throws RangeError where it does not parse */
export function readClassFile(bytes: Buffer): ClassFile {
  const { places, end } = readPool(bytes)
  const place = (index: number) => {
    const at = places[index]
    if (at === undefined) throw new RangeError('a constant is not there')
    return at
  }
  const texts = new Array<string>(places.length)
  const utf8 = (index: number) => {
    const at = place(index)
    texts[index] ??= bytes.toString('utf8', at + 3, at + 3 + bytes.readUInt16BE(at + 1))
    return texts[index]
  }
  const className = (index: number) => utf8(bytes.readUInt16BE(place(index) + 1))
  const nameAndType = (index: number) => {
    const at = place(index)
    return { name: utf8(bytes.readUInt16BE(at + 1)), descriptor: utf8(bytes.readUInt16BE(at + 3)) }
  }
  const owner = className(bytes.readUInt16BE(end + 2))
  const members = readMembers(bytes, end + 6, utf8)
  const refs = new Array<MemberRef>(places.length)
  const member = (index: number): MemberRef => {
    const at = place(index)
    refs[index] ??= {
      owner: className(bytes.readUInt16BE(at + 1)),
      ...nameAndType(bytes.readUInt16BE(at + 3)),
    }
    return refs[index]
  }
  const constant = (index: number): Value => {
    const at = place(index)
    switch (bytes[at]) {
      case 3:
        return bytes.readInt32BE(at + 1)
      case 5:
        return { wide: bytes.readBigInt64BE(at + 1) }
      case 6:
        return { wide: undefined }
      case 8:
        return utf8(bytes.readUInt16BE(at + 1))
      default:
        return undefined
    }
  }
  const dynamic = (index: number) => {
    const at = place(index)
    return { bootstrap: bytes.readUInt16BE(at + 1), ...nameAndType(bytes.readUInt16BE(at + 3)) }
  }
  const parents = [bytes.readUInt16BE(end + 4), ...interfacesAt(bytes, end + 6)]
  return {
    bytes,
    name: owner,
    parents: parents.filter((index) => index !== 0).map(className),
    texts: places.flatMap((at) => {
      if (bytes[at] !== 8) return []
      const text = place(bytes.readUInt16BE(at + 1))
      return partsOf(bytes, text + 3, text + 3 + bytes.readUInt16BE(text + 1))
    }),
    classes: () => places.flatMap((at, index) => (bytes[at] === 7 ? [className(index)] : [])),
    places,
    methods: members.code.map((code) => ({ ...code, owner })),
    constants: members.values.map(
      ([name, descriptor, index]) => [keyOf({ owner, name, descriptor }), constant(index)] as const,
    ),
    constant,
    className,
    member,
    site: dynamic,
    lambda(index) {
      const handle = members.bootstraps[dynamic(index).bootstrap]?.[1]
      const at = handle === undefined ? -1 : place(handle)
      return at !== -1 && bytes[at] === 15 ? member(bytes.readUInt16BE(at + 2)) : null
    },
    concatenation(index) {
      const { bootstrap, name, descriptor } = dynamic(index)
      if (name === 'makeConcat') return { recipe: '\u0001'.repeat(countOf(descriptor)), descriptor }
      if (name !== 'makeConcatWithConstants') return null
      const [first, ...others] = members.bootstraps[bootstrap] ?? []
      if (first === undefined) return null
      let next = 0
      const constantText = () => {
        const at = others[next++]
        return at !== undefined && bytes[place(at)] === 8 ? utf8(bytes.readUInt16BE(place(at) + 1)) : ''
      }
      const [head = '', ...rest] = utf8(bytes.readUInt16BE(place(first) + 1)).split('\u0002')
      let recipe = head
      for (const part of rest) {
        recipe += constantText() + part
        if (recipe.length > longestRecipe) return null
      }
      return { recipe, descriptor }
    },
  }
}

/** Stands for all classes that make call sites. */
export const ofCallSites = 'java/lang/invoke/StringConcatFactory'

function interfacesAt(bytes: Buffer, at: number): number[] {
  return Array.from({ length: bytes.readUInt16BE(at) }, (_, index) => bytes.readUInt16BE(at + 2 + index * 2))
}

/** A longer one is written by no compiler, and would be copied for each call site. */
const longestRecipe = 10_000

/** Splits the recipe of a concatenation at the marks of its arguments. */
function partsOf(bytes: Buffer, start: number, end: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = []
  let from = start
  for (let at = start; at <= end; at++) {
    if (at < end && bytes[at] !== 1) continue
    parts.push({ start: from, end: at })
    from = at + 1
  }
  return parts
}

function countOf(descriptor: string): number {
  return parametersIn(descriptor.slice(1, descriptor.indexOf(')'))).length
}

/** Reads the code of methods, the constants of fields, and what bootstrap methods are given. */
function readMembers(bytes: Buffer, from: number, utf8: (index: number) => string) {
  const code: Omit<CodeOfMethod, 'owner'>[] = []
  const bootstraps: number[][] = []
  const values: [name: string, descriptor: string, index: number][] = []
  let at = from + 2 + bytes.readUInt16BE(from) * 2
  const attributes = (onAttribute: (name: string, start: number) => void) => {
    const count = bytes.readUInt16BE(at)
    at += 2
    for (let attribute = 0; attribute < count; attribute++) {
      onAttribute(utf8(bytes.readUInt16BE(at)), at + 6)
      at += 6 + bytes.readUInt32BE(at + 2)
    }
  }
  for (const kind of ['fields', 'methods']) {
    const count = bytes.readUInt16BE(at)
    at += 2
    for (let member = 0; member < count; member++) {
      const isStatic = (bytes.readUInt16BE(at) & 8) !== 0
      const [name, descriptor] = [utf8(bytes.readUInt16BE(at + 2)), utf8(bytes.readUInt16BE(at + 4))]
      at += 6
      attributes((attribute, start) => {
        if (attribute === 'ConstantValue') values.push([name, descriptor, bytes.readUInt16BE(start)])
        if (kind !== 'methods' || attribute !== 'Code') return
        const length = bytes.readUInt32BE(start + 4)
        const end = start + 8 + length
        if (end > bytes.length) throw new RangeError('a method is cut off')
        code.push({ name, descriptor, isStatic, start: start + 8, end })
      })
    }
  }
  attributes((attribute, start) => {
    if (attribute !== 'BootstrapMethods') return
    const count = bytes.readUInt16BE(start)
    let place = start + 2
    for (let method = 0; method < count; method++) {
      const args = bytes.readUInt16BE(place + 2)
      bootstraps.push(Array.from({ length: args }, (_, index) => bytes.readUInt16BE(place + 4 + index * 2)))
      place += 4 + args * 2
    }
  })
  return { code, bootstraps, values }
}
