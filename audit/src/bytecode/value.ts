/** A long or a double, which takes two slots of a frame; `undefined` where it is not known. */
export interface Wide {
  readonly wide: bigint | undefined
}

export interface JavaArray {
  /** A type as descriptors write it: `C`, `B`, `Ljava/lang/String;`. */
  readonly element: string
  readonly items: Value[]
}

/**
 * An object. Of library classes, `text` is the content of a builder or of a string under construction, `items` those of
 * a collection, an iterator or a box, `entries` those of a map.
 */
export interface Instance {
  readonly type: string
  readonly fields: Map<string, Value>
  text: string | undefined
  items: Value[] | undefined
  entries: Map<Value, Value> | undefined
}

/** The content of a register; `undefined` where it is not known. Booleans and characters are numbers. */
export type Value = undefined | null | number | string | Wide | JavaArray | Instance

export function isWide(value: Value): value is Wide {
  return typeof value === 'object' && value !== null && 'wide' in value
}

export function isArray(value: Value): value is JavaArray {
  return typeof value === 'object' && value !== null && 'element' in value
}

export function isInstance(value: Value): value is Instance {
  return typeof value === 'object' && value !== null && 'fields' in value
}

export function createInstance(type: string): Instance {
  return { type, fields: new Map(), text: undefined, items: undefined, entries: undefined }
}

export const unknownWide: Wide = { wide: undefined }

/** Gives the value of a type that nothing is known of. */
export function unknownOf(type: string): Value {
  return type === 'J' || type === 'D' ? unknownWide : undefined
}

const stringType = 'java/lang/String'

/** Reads a string whose constructor has run as the string that it is. */
export function settled(value: Value): Value {
  return isInstance(value) && value.type === stringType && value.text !== undefined ? value.text : value
}

export interface MemberRef {
  /** As `java/lang/String`. */
  readonly owner: string
  readonly name: string
  readonly descriptor: string
}

export function keyOf({ owner, name, descriptor }: MemberRef): string {
  return `${owner}.${name}${descriptor}`
}

/** Takes the key of a method apart. */
export function memberOf(key: string): MemberRef {
  const open = key.indexOf('(')
  const dot = key.lastIndexOf('.', open)
  return { owner: key.slice(0, dot), name: key.slice(dot + 1, open), descriptor: key.slice(open) }
}

const types = /(?<!\[)\[*(?:[BCDFIJSZ]|L[^;]+;)/g
const simpleTypes = /(?<!\[)\[*[BCDFIJSZ]/g

/** Takes the parameters of a descriptor apart. Behind the last end of a name, no name is looked for: it would have none. */
export function parametersIn(written: string): string[] {
  const end = written.lastIndexOf(';') + 1
  return [...(written.slice(0, end).match(types) ?? []), ...(written.slice(end).match(simpleTypes) ?? [])]
}

const parsed = new Map<string, { readonly parameters: readonly string[]; readonly result: string }>()

/** Takes a descriptor of a method apart: `(IJ)V` has the parameters `I` and `J`, and the result `V`. */
export function signatureOf(descriptor: string): {
  readonly parameters: readonly string[]
  readonly result: string
} {
  const known = parsed.get(descriptor)
  if (known !== undefined) return known
  const end = descriptor.indexOf(')')
  const signature = {
    parameters: parametersIn(descriptor.slice(1, end)),
    result: descriptor.slice(end + 1),
  }
  if (parsed.size > 10_000) parsed.clear()
  parsed.set(descriptor, signature)
  return signature
}

/** The fields of a delegate: the key of the method that it calls, and the object that it calls it on. */
export const delegateOf = { method: '$method', target: '$target' } as const

/** The type of an object that is nothing but a function. */
export const lambdaType = '$lambda'
