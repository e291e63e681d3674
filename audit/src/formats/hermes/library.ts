import { type Effort, pay } from '../../model/effort.ts'
import { stringCall } from '../../script/evaluate/string-calls.ts'
import { type Constant, makeList, makeText } from '../../script/evaluate/value.ts'
import { payForPattern } from '../../script/machine/library/patterns.ts'
import { bytesFrom, constructed, textOfBytes } from './bytes.ts'
import { callOfHook } from './hooks.ts'
import type { Host } from './host.ts'
import { listCall } from './lists.ts'
import { mapCall, objectCall } from './objects.ts'
import { matchesOf, methodOfPattern, patternFrom } from './patterns.ts'
import { callOfPlatform, callOfProxy, fromJson, iterated, primitiveOf, revived } from './platform.ts'
import { joined, textOf } from './text.ts'
import {
  absent,
  type Cursor,
  createThing,
  groupsOf,
  isClient,
  isClosure,
  isList,
  isNative,
  isThing,
  itemsOf,
  type List,
  listOfMatch,
  type Native,
  native,
  truthOf,
  typeOf,
  type Value,
} from './values.ts'

/** Gives what a function of the engine returns for known values; `undefined` where that is not known. @throws OverEffort */
export function callNative(callee: Native, self: Value, args: readonly Value[], host: Host): Value {
  pay(host.effort, stepsOfCall)
  const { path } = callee
  const all = callee.bound === undefined ? args : [...callee.bound, ...args]
  if (path === '.apply trap') return callOfProxy(callee.of, callee.bound?.[0], args, host)
  if (path.startsWith('?')) return callOfUnknown(path.slice(2), all, host)
  if (path.startsWith('.')) return methodCall(callee, path.slice(1), self, all, host)
  const [owner = '', member = ''] = path.split('.')
  // A method of a prototype is called with the value that it is to be called on.
  if (member === 'prototype') {
    const method = path.split('.')[2] ?? ''
    if (owner === 'Object' && method === 'toString') return tagOf(self)
    return methodCall(callee, method, self, all, host)
  }
  if (member === '') return globalCall(path, all, host)
  if (path === 'Promise.fulfil') return fulfil(callee.of, all[0])
  return staticCall(owner, member, self, all, host)
}

/** Gives what `Object.prototype.toString` says of a value; `undefined` where it is not known. */
function tagOf(value: Value): string | undefined {
  const type = typeOf(value)
  if (type === undefined) return undefined
  if (value === null) return '[object Null]'
  if (isList(value)) return '[object Array]'
  if (value instanceof RegExp) return '[object RegExp]'
  const proto = isThing(value) ? value.prototype : undefined
  const name = isNative(proto) ? proto.path : `${type[0]?.toUpperCase()}${type.slice(1)}`
  return `[object ${value instanceof Uint8Array ? 'Uint8Array' : name}]`
}

/** Keeps the first value that a promise is fulfilled with. */
function fulfil(promise: Value, value: Value): Value {
  if (isThing(promise) && !promise.fields.has('value')) promise.fields.set('value', value)
  return absent
}

const stepsOfCall = 8

function globalCall(name: string, args: readonly Value[], host: Host): Value {
  const [first, second] = args
  switch (name) {
    case 'String':
      return first === undefined ? undefined : textOf(primitiveOf(first, host), host.effort)
    case 'Number':
      return typeof first === 'string' || typeof first === 'number' ? Number(first) : undefined
    case 'parseInt':
      return parsedInt(first, second)
    case 'Boolean':
      return truthOf(first)
    case 'setTimeout':
    case 'setImmediate':
    case 'queueMicrotask':
    case 'requestAnimationFrame':
      return isClosure(first) ? host.call(first, absent, args.slice(2)) : undefined
    case 'Object':
    case 'Symbol':
      return first
    case 'RegExp':
      return patternFrom(first, second)
    case 'Array':
    case 'Map':
    case 'Set':
      return constructed(name, args, host.effort)
    case 'atob':
    case 'btoa':
    case 'unescape':
    case 'escape':
    case 'decodeURIComponent':
    case 'decodeURI':
    case 'encodeURIComponent':
    case 'encodeURI':
      return typeof first === 'string' ? converted(name, first, host.effort) : undefined
    default:
      return callOfUnknown(name, args, host)
  }
}

function parsedInt(text: Value, radix: Value): Value {
  if (typeof text !== 'string' && typeof text !== 'number') return undefined
  const number = Number.parseInt(String(text), typeof radix === 'number' ? radix : undefined)
  return Number.isNaN(number) ? undefined : number
}

function converted(name: string, text: string, effort: Effort): Value {
  makeText(text.length * 3, effort)
  try {
    switch (name) {
      case 'atob':
        return Buffer.from(text, 'base64').toString('latin1')
      case 'btoa':
        return Buffer.from(text, 'latin1').toString('base64')
      case 'decodeURIComponent':
        return decodeURIComponent(text)
      case 'decodeURI':
        return decodeURI(text)
      case 'unescape':
        return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
      default:
        return name === 'encodeURI' ? encodeURI(text) : encodeURIComponent(text)
    }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

const numeric = /^(?:abs|ceil|floor|imul|log2|max|min|pow|round|sign|sqrt|trunc)$/

function staticCall(owner: string, member: string, self: Value, args: readonly Value[], host: Host): Value {
  const { effort } = host
  const [first] = args
  switch (owner) {
    case 'String':
      if (member === 'raw') return rawText(args, host)
      return member === 'fromCharCode' || member === 'fromCodePoint' ? charactersOf(args, effort) : undefined
    case 'HermesInternal':
      // A template becomes this call: its first part is `this`.
      return member === 'concat'
        ? joined(
            [self as Value, ...args].map((part): Value => primitiveOf(part, host)),
            '',
            effort,
          )
        : undefined
    case 'Array':
      if (member === 'isArray') return first === undefined ? undefined : isList(first)
      return member === 'of' ? [...args] : member === 'from' ? arrayFrom(args, host) : undefined
    case 'Number':
      return member === 'parseInt' ? parsedInt(first, args[1]) : undefined
    case 'Math':
      return numeric.test(member) && args.every((arg) => typeof arg === 'number')
        ? (Math[member as 'max'] as (...numbers: number[]) => number)(...args)
        : undefined
    case 'Object':
    case 'Reflect':
      return objectCall(member, args, host)
    case 'JSON': {
      if (member !== 'parse' || typeof first !== 'string') return undefined
      const read = fromJson(first, host)
      if (!isClosure(args[1])) return read
      const holder = createThing()
      holder.fields.set('', read)
      return revived(holder, '', args[1], host)
    }
    case 'Symbol':
      return member === 'for' && typeof first === 'string' ? native(`Symbol.for ${first}`) : undefined
    case 'Promise':
      if (member === 'resolve') return first
      if (!isList(first)) return undefined
      if (member === 'allSettled') return first.map(settled)
      return member === 'all' ? first : member === 'race' || member === 'any' ? first[0] : undefined
    case 'Buffer':
      return bytesFrom(member, args, effort)
    default:
      return /Array$/.test(owner) && (member === 'from' || member === 'of')
        ? constructed(owner, [member === 'of' ? [...args] : arrayFrom(args, host)], effort)
        : callOfUnknown(member, args, host)
  }
}

function settled(value: Value): Value {
  const made = createThing()
  made.fields.set('status', 'fulfilled').set('value', value)
  return made
}

/** Joins the parts of a template as they are written with what is between them. */
function rawText([strings, ...values]: readonly Value[], host: Host): Value {
  const parts = iterated(host.get(strings, 'raw'), host)
  if (parts === undefined) return undefined
  const all = parts.flatMap((part, at): Value[] =>
    at > 0 && at <= values.length ? [values[at - 1], part] : [part],
  )
  return joined(all, '', host.effort)
}

function arrayFrom([source, change]: readonly Value[], host: Host): Value {
  const items = iterated(source, host) ?? ofLength(source, host)
  if (items === undefined) return undefined
  makeList(items.length, host.effort)
  return items.map((item, index) =>
    isClosure(change) || isNative(change) ? host.call(change, absent, [item, index]) : item,
  )
}

const mostItems = 65_536

function ofLength(source: Value, host: Host): Value[] | undefined {
  const length = isThing(source) ? source.fields.get('length') : undefined
  if (typeof length !== 'number' || length > mostItems) return undefined
  makeList(length, host.effort)
  return Array.from({ length }, (_, index) => host.get(source, String(index)))
}

/** Makes a text from codes of characters. */
function charactersOf(codes: readonly Value[], effort: Effort): string | undefined {
  makeText(codes.length, effort)
  const isText = codes.every((code) => typeof code === 'number' && code >= 0 && code < 0x110000)
  return isText ? codes.map((code) => String.fromCharCode(Math.trunc(code as number))).join('') : undefined
}

function methodCall(callee: Native, name: string, self: Value, args: readonly Value[], host: Host): Value {
  const [first, ...others] = args
  // Functions have these three methods.
  if (isClosure(callee.of) || isNative(callee.of)) {
    if (name === 'call') return host.call(callee.of, first, others)
    if (name === 'apply') {
      const given = others[0] === absent || others[0] === null ? [] : itemsOf(others[0])
      return given === undefined ? undefined : host.call(callee.of, first, given)
    }
    if (name === 'bind')
      return isNative(callee.of)
        ? { ...callee.of, bound: others }
        : { ...native('.call', callee.of), bound: [first, ...others] }
  }
  if (name === 'then' || name === 'finally') return isClosure(first) ? host.call(first, absent, [self]) : self
  if (isClient(self)) return clientCall(self.base, args, host)
  if (typeof self === 'string') return textCall(self, name, args, host)
  if (isList(self) && name === '@@iterator') return { kind: 'cursor', items: self, at: 0 }
  if (isList(self)) return listCall(self, name, args, host)
  if (self instanceof Uint8Array) return bytesCall(self, name, args, host)
  if (typeof self === 'number') return numberCall(self, name, args, host.effort)
  if (
    name === 'next' &&
    typeof self === 'object' &&
    self !== null &&
    'kind' in self &&
    self.kind === 'cursor'
  )
    return nextOf(self)
  if (self instanceof RegExp) return patternCall(self, name, first, host)
  if (!isThing(self)) return undefined
  return (
    mapCall(self, name, args, host) ??
    callOfPlatform(self, name, args, host) ??
    thingCall(self, name, args, host)
  )
}

/** Tries a pattern on a text. */
function patternCall(self: RegExp, name: string, text: Value, host: Host): Value {
  if (typeof text !== 'string' || !payForPattern(self, text, host.effort)) return undefined
  if (name === 'test') return self.test(text)
  const match = name === 'exec' ? self.exec(text) : undefined
  return match === undefined || match === null ? match : listOfMatch(match)
}

function nextOf(cursor: Cursor): Value {
  const value = cursor.items[cursor.at++]
  const isLast = cursor.isReturned === true && cursor.at === cursor.items.length
  return {
    kind: 'object',
    prototype: null,
    fields: new Map<string, Value>([
      ['value', value === undefined ? absent : value],
      ['done', value === undefined || isLast],
    ]),
  }
}

function thingCall(self: Value, name: string, args: readonly Value[], host: Host): Value {
  const [first] = args
  if (/^(?:hasOwnProperty|propertyIsEnumerable)$/.test(name) && isThing(self) && typeof first === 'string')
    return self.fields.has(first)
  // A decoder of the engine, by what it is called with.
  if (name === 'decode' && first instanceof Uint8Array) return textOfBytes(first, 'utf8', host.effort)
  const isDecoder = isThing(self) && isNative(self.prototype) && self.prototype.path === 'TextDecoder'
  if (name === 'decode' && isDecoder) return first
  if (name === 'encode' && typeof first === 'string') return new Uint8Array(Buffer.from(first))
  return callOfUnknown(name, args, host)
}

function numberCall(self: number, name: string, [first]: readonly Value[], effort: Effort): Value {
  makeText(64, effort)
  if (name !== 'toString') return undefined
  return typeof first === 'number' && first >= 2 && first <= 36 ? self.toString(first) : String(self)
}

function bytesCall(self: Uint8Array, name: string, args: readonly Value[], host: Host): Value {
  const [first] = args
  makeList(self.length, host.effort)
  if (Buffer.isBuffer(self) && name === 'toString')
    return textOfBytes(self, typeof first === 'string' ? first : 'utf8', host.effort)
  if (name === 'subarray' || name === 'slice') {
    const [from, to] = args
    return self.subarray(typeof from === 'number' ? from : 0, typeof to === 'number' ? to : undefined)
  }
  const items = [...self]
  const result = listCall(items, name, args, host)
  if (inPlace.test(name)) {
    for (const at of self.keys()) self[at] = typeof items[at] === 'number' ? items[at] : 0
    return name === 'set' ? result : self
  }
  return name === 'map' || name === 'filter' ? constructed('Uint8Array', [result], host.effort) : result
}

const inPlace = /^(?:set|fill|reverse|sort)$/

function textCall(self: string, name: string, args: readonly Value[], host: Host): Value {
  const [first, second] = args
  if (name === 'replace' || name === 'replaceAll')
    if (isClosure(second)) return replacedBy(self, name, first, second, host)
  makeText(self.length, host.effort)
  if (first instanceof RegExp && !payForPattern(first, self, host.effort)) return undefined
  switch (name) {
    case 'match':
    case 'matchAll':
      return first instanceof RegExp ? matched(self, name, first, host) : undefined
    case 'replace':
    case 'replaceAll':
      // Only a text that is written for it may name what was found.
      if (first instanceof RegExp && typeof second === 'string' && second.includes('$')) {
        makeText((self.length + 1) * (second.length + self.length), host.effort)
        return self.replace(first, second)
      }
      break
    case 'startsWith':
    case 'endsWith':
    case 'includes':
      return typeof first === 'string' ? self[name](first) : undefined
    case 'indexOf':
    case 'lastIndexOf':
      return typeof first === 'string' ? self[name](first) : undefined
    case 'trimStart':
    case 'trimEnd':
      return self[name]()
  }
  const result = stringCall(self, name, args.map(constantOf), host.effort)
  return Array.isArray(result) ? ([...result] as List) : (result as Value)
}

function matched(self: string, name: string, pattern: RegExp, host: Host): Value {
  makeList(self.length * 2 + 8, host.effort)
  if (name === 'match' && (pattern.global || methodOfPattern(pattern, 'exec') === undefined)) {
    const found = self.match(pattern)
    return found === null ? null : listOfMatch(found)
  }
  const matches = matchesOf(pattern, self, host)
  return name === 'match' ? (matches?.[0] ?? null) : (matches as Value)
}

function constantOf(value: Value): Constant {
  return typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === null ||
    value instanceof RegExp
    ? value
    : undefined
}

type Groups = Parameters<typeof groupsOf>[0]

/** A group that took no part in a match is undefined, and no value that is not known. */
function partOfMatch(found: unknown): Value {
  return found === undefined ? absent : (found as Value)
}

function replacedBy(self: string, name: string, wanted: Value, by: Value, host: Host): Value {
  const isPattern = wanted instanceof RegExp
  if (isPattern ? !payForPattern(wanted, self, host.effort) : typeof wanted !== 'string') return undefined
  makeText(self.length, host.effort)
  let isKnown = true
  const atPlace = (...found: unknown[]): string => {
    const last = found.at(-1)
    const given =
      typeof last === 'object' ? [...found.slice(0, -1), groupsOf(last as object as Groups)] : found
    const text = isKnown ? textOf(host.call(by, absent, given.map(partOfMatch)), host.effort) : ''
    if (text === undefined) isKnown = false
    makeText(8 + (text?.length ?? 0), host.effort)
    return text ?? ''
  }
  const isAll = name === 'replaceAll' && !(isPattern && !wanted.global)
  const made = isAll ? self.replaceAll(wanted as string, atPlace) : self.replace(wanted as string, atPlace)
  return isKnown ? made : undefined
}

const verbs = /^(?:get|post|put|patch|delete|head|request|fetch|extend|\$?http)$/
const bases = ['baseURL', 'baseUrl', 'prefixUrl', 'basePath', 'rootUrl']

/** Calls what is not known: it may make a client of HTTP, or decode what it is given. */
export function callOfUnknown(name: string, args: readonly Value[], host: Host): Value {
  const [first, second] = args
  for (const config of args) {
    const base = baseIn(config)
    if (base === undefined) continue
    const url = isThing(config) ? config.fields.get('url') : undefined
    if (typeof url === 'string') madeAddress(base, url, host)
    else if (typeof first === 'string' && config !== first) madeAddress(base, first, host)
    return { kind: 'client', base }
  }
  if (keeps.test(name) && typeof first === 'string') return kept(name, first, second, host)
  const hooked = callOfHook(name, args, host)
  if (hooked !== null) return hooked.value
  if (name === 'from') return bytesFrom(name, args, host.effort)
  if (typeof first !== 'string') {
    if (name === 'decode' && first instanceof Uint8Array) return textOfBytes(first, 'utf8', host.effort)
    return undefined
  }
  const isEncoded = /^(?:decode|decode64|atob|toByteArray|fromBase64|base64Decode|decodeBase64)$/.test(name)
  if (!isEncoded || !/^[\w+/-]{8,}={0,2}$/.test(first) || second !== undefined) return undefined
  makeText(first.length, host.effort)
  const bytes = Buffer.from(first, 'base64')
  return name === 'toByteArray' ? new Uint8Array(bytes) : bytes.toString('latin1')
}

/** Names by which storages keep texts. */
const keeps = /^(?:set|get)(?:Item|String|GenericPassword)(?:Async|Sync)?$/

/** A storage gives what it was given under the same name. */
function kept(name: string, key: string, value: Value, { stored }: Host): Value {
  if (name.startsWith('get')) return stored.get(key)
  stored.set(key, value)
  return absent
}

export function hasBase(args: readonly Value[]): boolean {
  return args.some((arg) => baseIn(arg) !== undefined)
}

function baseIn(config: Value): string | undefined {
  if (!isThing(config)) return undefined
  for (const name of bases) {
    const base = config.fields.get(name)
    if (typeof base === 'string') return base
  }
  return undefined
}

function clientCall(base: string, args: readonly Value[], host: Host): Value {
  const [first] = args
  const path = isThing(first) ? first.fields.get('url') : first
  if (typeof path === 'string') madeAddress(base, path, host)
  return undefined
}

/** Says whether a member of an unknown value is a call of HTTP. */
export function isVerb(name: string): boolean {
  return verbs.test(name)
}

function madeAddress(base: string, path: string, host: Host): void {
  if (/^[a-z]+:/i.test(path)) return
  makeText(base.length + path.length, host.effort)
  host.made(`${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}`)
}

/** Reads a member of a value of the engine. */
export function memberOfNative({ path }: Native, name: string): Native {
  return native(path === '' ? name : `${path}.${name}`)
}
