import { inOrder } from '../../script/evaluate/value.ts'

/** The value that JavaScript calls undefined; one that is not known is `undefined` here. */
export const absent = Symbol('undefined')

export interface List extends Array<Value> {}

export interface Thing {
  readonly kind: 'object'
  readonly fields: Map<string, Value>
  prototype: Value
  /** The object that a proxy asks in the place of its target, which is its prototype. */
  readonly handler?: Thing
}

/** A function of the file, and the variables that it sees. */
export interface Closure {
  readonly kind: 'closure'
  readonly index: number
  readonly environment: Environment | null
  readonly isGenerator: boolean
  readonly fields: Map<string, Value>
  /** The class that it is derived from. */
  base: Value
  /** The object that it is a method of. */
  home: Thing | Closure | null
}

/** A value of the engine, by its name: `String.fromCharCode`, `.join` of any value, `?.post` of one that is not known. */
export interface Native {
  readonly kind: 'native'
  readonly path: string
  /** The value that it is a member of, and first arguments that are known. */
  readonly of?: Value
  readonly bound?: readonly Value[]
}

export interface Environment {
  readonly kind: 'environment'
  readonly parent: Environment | null
  readonly variables: Map<number, Value>
}

/** Goes through the items of a value. */
export interface Cursor {
  readonly kind: 'cursor'
  readonly items: readonly Value[]
  at: number
  /** The last item is what a generator returned. */
  readonly isReturned?: boolean
}

/** A property that is computed when it is read, or that a function is given. */
export interface Getter {
  readonly kind: 'getter'
  readonly get: Closure | null
  readonly set: Closure | null
}

/** The base of an HTTP client, to which its calls are relative. */
export interface Client {
  readonly kind: 'client'
  readonly base: string
}

export type Value =
  | undefined
  | typeof absent
  | null
  | string
  | number
  | boolean
  | List
  | Uint8Array
  | RegExp
  | Thing
  | Closure
  | Native
  | Environment
  | Cursor
  | Getter
  | Client

type Kinds = Extract<Value, { readonly kind: string }>

function isKind<K extends Kinds['kind']>(value: Value, kind: K): value is Extract<Kinds, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind
}

export const isThing = (value: Value): value is Thing => isKind(value, 'object')
export const isClosure = (value: Value): value is Closure => isKind(value, 'closure')
export const isNative = (value: Value): value is Native => isKind(value, 'native')
export const isEnvironment = (value: Value): value is Environment => isKind(value, 'environment')
export const isCursor = (value: Value): value is Cursor => isKind(value, 'cursor')
export const isGetter = (value: Value): value is Getter => isKind(value, 'getter')
export const isClient = (value: Value): value is Client => isKind(value, 'client')
export const isList = (value: Value): value is List => Array.isArray(value)

export function createThing(prototype: Value = null): Thing {
  return { kind: 'object', fields: new Map(), prototype }
}

export function closureOf(
  index: number,
  environment: Environment | null = null,
  isGenerator = false,
): Closure {
  return { kind: 'closure', index, environment, isGenerator, fields: new Map(), base: undefined, home: null }
}

const collections = new WeakMap<Thing, Map<Value, Value>>()

/** Makes a `Map` or a `Set`, whose entries are no properties. */
export function createCollection(name: 'Map' | 'Set', entries: Iterable<readonly [Value, Value]>): Thing {
  const made = createThing(native(name))
  collections.set(made, new Map(entries))
  return made
}

/** The entries of a `Map` or a `Set`; `undefined` of anything else. */
export function entriesOfCollection(value: Thing): Map<Value, Value> | undefined {
  return collections.get(value)
}

const extras = new WeakMap<List, Map<string, Value>>()

/** Makes a list of the groups that a pattern has found, with their names and their place. */
export function listOfMatch(match: RegExpMatchArray): List {
  const list: List = Array.from(match, (group): Value => group ?? absent)
  const own = new Map<string, Value>([['index', match.index ?? absent]])
  own.set('input', match.input ?? absent)
  own.set('groups', match.groups === undefined ? absent : groupsOf(match.groups))
  extras.set(list, own)
  return list
}

/** The named groups of a pattern as an object. */
export function groupsOf(groups: Readonly<Record<string, string | undefined>>): Thing {
  const made = createThing()
  for (const [name, text] of Object.entries(groups)) made.fields.set(name, text ?? absent)
  return made
}

/** Gives a list a named property. */
export function setExtra(list: List, name: string, value: Value): void {
  const own = extras.get(list) ?? new Map<string, Value>()
  extras.set(list, own.set(name, value))
}

/** A named property of a list; `undefined` where it has none. */
export function extraOf(list: List, name: string): { readonly value: Value } | undefined {
  const own = extras.get(list)
  return own?.has(name) === true ? { value: own.get(name) } : undefined
}

export function native(path: string, of?: Value): Native {
  return { kind: 'native', path, of }
}

/** A member of an unknown value is not known either; its name is, for a call. */
export function isUnknown(value: Value): boolean {
  return value === undefined || (isNative(value) && value.path.startsWith('?'))
}

/** Globals of the engine; any other is of the app or its platform, and may be missing. */
const ofEngine =
  /^(?:\.|Hermes|Array|Boolean|Buffer|DataView|Date|Error|Function|JSON|Map|Math|Number|Object|Promise|Proxy|Reflect|RegExp|Set|String|Symbol|Text(?:De|En)coder|U?int\d|Uint8Clamped|Float\d|URL|Weak(?:Map|Set)|atob|btoa|(?:de|en)codeURI|(?:un)?escape|parse(?:Int|Float)|globalThis)/i

/** Says whether a value is something that only the app's platform knows. */
function isForeign(value: Value): boolean {
  return isUnknown(value) || (isNative(value) && value.path !== '' && !ofEngine.test(value.path))
}

export function truthOf(value: Value): boolean | undefined {
  if (isForeign(value)) return undefined
  return value === absent ? false : typeof value === 'object' ? value !== null : Boolean(value)
}

/** How `typeof` calls a value; `undefined` where that is not known. */
export function typeOf(value: Value): string | undefined {
  if (isForeign(value)) return undefined
  if (value === absent) return 'undefined'
  if (isClosure(value) || isNative(value)) return 'function'
  return typeof value
}

const types = ['undefined', 'object', 'string', 'symbol', 'boolean', 'number', 'bigint', 'function', 'null']

/** Says whether a value is of one of several types, each of which has a bit; `undefined` where that is not known. */
export function isOfTypes(value: Value, bits: number): boolean | undefined {
  const isSymbol = isNative(value) && value.path.startsWith('Symbol.')
  const type = value === null ? 'null' : isSymbol ? 'symbol' : typeOf(value)
  return type === undefined ? undefined : (bits & (1 << types.indexOf(type))) !== 0
}

/** Compares two values as `===` does; `undefined` where that is not known. */
export function isSame(left: Value, right: Value): boolean | undefined {
  if (isForeign(left) || isForeign(right)) return undefined
  return left === right || (isNative(left) && isNative(right) && left.path === right.path)
}

/** The items that a value gives one after the other; `undefined` where it gives none, or they are not known. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (isList(value)) return value
  if (isCursor(value)) return value.items.slice(value.at)
  if (typeof value === 'string') return Array.from(value)
  return value instanceof Uint8Array ? [...value] : undefined
}

/** The properties of an object, or the items of a list, by their names. */
export function entriesOf(value: Value): readonly (readonly [string, Value])[] | undefined {
  if (isThing(value) || isClosure(value)) return inOrder([...value.fields], ([name]) => name)
  return itemsOf(value)?.map((item, index) => [String(index), item] as const)
}
