import { pay } from '../../model/effort.ts'
import { makeList, makeText } from '../value.ts'
import { bytesMethod, listMethod } from './lists.ts'
import type { Library, Machine } from './machine.ts'
import { setExtra } from './members.ts'
import { callMethod, mapMethod } from './objects.ts'
import { numberOf } from './operators.ts'
import { textMethod } from './texts.ts'
import {
  addAccessor,
  type Bytes,
  functionOf,
  isBytes,
  isThing,
  type Native,
  objectOf,
  Thing,
  unknown,
  type Value,
} from './values.ts'

const longestNumber = 1024

/** Makes the globals and methods that scripts put texts together with. */
export function createLibrary(machine: Machine): Library {
  const { effort } = machine
  const globals = new Map<string, Value>()
  const window = new Thing()
  const define = (name: string, value: Value) => {
    globals.set(name, value)
    window.fields.set(name, value)
  }
  const text = (value: Value) => machine.textOf(value)
  const fromText =
    (make: (text: string) => string): Native =>
    (_, [given]) => {
      if (typeof given !== 'string')
        return given === undefined ? unknown : given === unknown ? unknown : make(text(given))
      makeText(given.length * 2, effort)
      pay(effort, given.length)
      return make(given)
    }
  const characters: Native = (_, codes) => {
    makeText(codes.length * 2, effort)
    if (!codes.every((code) => typeof code === 'number' || typeof code === 'string')) return unknown
    const numbers = codes.map(Number)
    return numbers.every((code) => code >= 0 && code <= 0x10_ffff)
      ? numbers.map((code) => String.fromCodePoint(Math.trunc(code))).join('')
      : unknown
  }
  const string = functionOf((_, [value = '']) => (value === unknown ? unknown : text(value)))
  string.fields.set('fromCharCode', functionOf(characters))
  string.fields.set('fromCodePoint', functionOf(characters))
  string.fields.set(
    'raw',
    functionOf((_, [strings, ...values]) => {
      const raw = machine.iterate(machine.member(strings, 'raw'))
      if (raw === null) return unknown
      const parts = raw.map((part, at) => {
        const made = text(part) + (at < values.length ? text(values[at]) : '')
        makeText(made.length, effort)
        return made
      })
      return parts.join('')
    }),
  )
  define('String', string)
  const decode = (value: string) => Buffer.from(value, 'base64').toString('latin1')
  define('atob', functionOf(fromText(decode)))
  define('btoa', functionOf(fromText((value) => Buffer.from(value, 'latin1').toString('base64'))))
  const percent = fromText((value) =>
    value.replace(/%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi, (_, wide?: string, hex?: string) =>
      String.fromCharCode(Number.parseInt(wide ?? hex ?? '', 16)),
    ),
  )
  for (const name of ['unescape', 'decodeURIComponent', 'decodeURI']) define(name, functionOf(percent))
  const escaped = fromText((value) => (value.isWellFormed() ? encodeURIComponent(value) : value))
  for (const name of ['escape', 'encodeURIComponent', 'encodeURI']) define(name, functionOf(escaped))
  define(
    'parseInt',
    functionOf((_, [value, radix]) =>
      value === unknown || radix === unknown
        ? unknown
        : Number.parseInt(text(value).slice(0, longestNumber), typeof radix === 'number' ? radix : undefined),
    ),
  )
  define(
    'parseFloat',
    functionOf((_, [value]) =>
      value === unknown ? unknown : Number.parseFloat(text(value).slice(0, longestNumber)),
    ),
  )
  const number = functionOf((_, [value = 0]) =>
    value === unknown || isThing(value) ? unknown : numberOf(Array.isArray(value) ? text(value) : value),
  )
  define('Number', number)
  for (const name of ['parseInt', 'parseFloat']) number.fields.set(name, globals.get(name))
  define(
    'Boolean',
    functionOf((_, [value]) => (value === unknown ? unknown : Boolean(value))),
  )
  define(
    'isNaN',
    functionOf((_, [value]) => (value === unknown ? unknown : Number.isNaN(numberOf(text(value))))),
  )

  const mathNames = [
    'floor',
    'ceil',
    'round',
    'abs',
    'min',
    'max',
    'trunc',
    'pow',
    'sqrt',
    'imul',
    'sign',
    'log2',
  ] as const
  const math = new Thing()
  for (const name of mathNames)
    math.fields.set(
      name,
      functionOf((_, args) =>
        args.every((arg) => typeof arg === 'number')
          ? (Math[name] as (...numbers: number[]) => number)(...(args as number[]))
          : unknown,
      ),
    )
  define('Math', math)
  define('Infinity', Number.POSITIVE_INFINITY)

  // Lists.
  const listFrom: Native = (_, [from, each]) => {
    let items = machine.iterate(from)
    const length = isThing(from) ? machine.member(from, 'length') : undefined
    if ((items === null || items.length === 0) && typeof length === 'number') {
      makeList(length, effort)
      items = Array.from({ length: Math.max(0, Math.min(length, 1_000_000)) }, (_, at) =>
        (from as Thing).fields.get(String(at)),
      )
    }
    if (items === null) return unknown
    makeList(items.length, effort)
    return each === undefined
      ? [...items]
      : items.map((item, at) => machine.call(each, undefined, [item, at]))
  }
  const array = functionOf((_, args) => {
    const [first] = args
    if (args.length !== 1 || typeof first !== 'number') return [...args]
    if (!(first >= 0 && first < 1_000_000)) return unknown
    makeList(first, effort)
    return Array.from({ length: Math.trunc(first) }, () => undefined)
  })
  array.fields.set('from', functionOf(listFrom))
  array.fields.set(
    'of',
    functionOf((_, args) => [...args]),
  )
  array.fields.set(
    'isArray',
    functionOf((_, [value]) => (value === unknown ? unknown : Array.isArray(value))),
  )
  define('Array', array)
  const kinds = { Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Int8Array, Int16Array, Int32Array }
  for (const [name, Kind] of Object.entries(kinds)) {
    const make: Native = (_, [from]) => {
      if (typeof from === 'number') {
        if (!(from >= 0 && from < 1_000_000)) return unknown
        makeList(from, effort)
        return new Kind(from)
      }
      if (isBytes(from)) {
        makeList(from.length, effort)
        return new Kind(from.slice().buffer as ArrayBuffer)
      }
      const items = machine.iterate(from)
      if (items === null || !items.every((item) => typeof item === 'number')) return unknown
      makeList(items.length, effort)
      return Kind.from(items as number[])
    }
    const kind = functionOf(make)
    kind.fields.set(
      'from',
      functionOf((self, args) => {
        const items = listFrom(self, args)
        return items === unknown ? unknown : make(self, [items])
      }),
    )
    kind.fields.set(
      'of',
      functionOf((self, args) => make(self, [[...args]])),
    )
    define(name, kind)
  }

  // Texts out of bytes.
  const bytesOf: Native = (_, [from, encoding = 'utf8']) => {
    if (typeof from === 'string') {
      makeText(from.length * 2, effort)
      return typeof encoding === 'string' && Buffer.isEncoding(encoding)
        ? new Uint8Array(Buffer.from(from, encoding))
        : unknown
    }
    if (isBytes(from)) return from
    const items = machine.iterate(from)
    if (items === null || !items.every((item) => typeof item === 'number')) return unknown
    makeList(items.length, effort)
    return Uint8Array.from(items as number[])
  }
  const buffer = functionOf(bytesOf)
  buffer.fields.set('from', functionOf(bytesOf))
  buffer.fields.set(
    'alloc',
    functionOf((_, [size]) => {
      if (typeof size !== 'number' || !(size >= 0 && size < 1_000_000)) return unknown
      makeList(size, effort)
      return new Uint8Array(size)
    }),
  )
  buffer.fields.set(
    'concat',
    functionOf((_, [list]) => {
      const parts = machine.iterate(list)
      if (parts === null || !parts.every(isBytes)) return unknown
      makeList(
        (parts as Bytes[]).reduce((sum, { length }) => sum + length, 0),
        effort,
      )
      const items = (parts as Bytes[]).flatMap((part) => [...part])
      return Uint8Array.from(items)
    }),
  )
  define('Buffer', buffer)
  define(
    'TextDecoder',
    functionOf((_, [encoding = 'utf-8']) =>
      objectOf({
        decode: functionOf((_, [bytes]) => {
          const made = bytesOf(unknown, [bytes])
          if (!isBytes(made) || typeof encoding !== 'string') return unknown
          makeText(made.byteLength, effort)
          const whole = Buffer.from(made.buffer, made.byteOffset, made.byteLength)
          return /16/.test(encoding) ? whole.toString('utf16le') : whole.toString('utf8')
        }),
      }),
    ),
  )
  define(
    'TextEncoder',
    functionOf(() => objectOf({ encode: functionOf((_, [value]) => bytesOf(unknown, [value])) })),
  )

  // Objects.
  const copyFields = (target: Value, sources: readonly Value[]): Value => {
    if (!isThing(target)) return unknown
    for (const source of sources) {
      if (!isThing(source)) continue
      pay(effort, 4 * source.fields.size, 64 * source.fields.size)
      for (const name of source.fields.keys()) target.fields.set(name, machine.member(source, name))
      for (const name of source.accessors.keys()) target.fields.set(name, machine.member(source, name))
    }
    return target
  }
  const entriesOf = (value: Value): [string, Value][] | null => {
    if (Array.isArray(value) || typeof value === 'string') {
      makeList(value.length * 4, effort)
      return [...value].map((item, at) => [String(at), item])
    }
    if (!isThing(value)) return null
    makeList(value.fields.size * 4, effort)
    return [...value.fields.keys(), ...value.accessors.keys()]
      .filter((name) => !name.startsWith('@@') && !name.startsWith('#') && name !== 'constructor')
      .map((name) => [name, machine.member(value, name)])
  }
  const defineProperty = (object: Value, name: string, how: Value) => {
    if (!isThing(how)) return
    const [get, set, value] = ['get', 'set', 'value'].map((field) => how.fields.get(field))
    if (Array.isArray(object)) {
      if (value !== undefined) setExtra(object, name, value)
    } else if (isThing(object)) {
      if (get !== undefined) addAccessor(object, name, { get, set })
      else if (how.fields.has('value')) object.fields.set(name, value)
    }
  }
  const itself = functionOf((_, [value]) => value)
  const object = functionOf((_, [value]) => value ?? new Thing())
  for (const name of ['freeze', 'seal', 'preventExtensions']) object.fields.set(name, itself)
  object.fields.set(
    'setPrototypeOf',
    functionOf((_, [value, proto]) => {
      if (isThing(value) && (isThing(proto) || proto === null) && value !== proto) value.proto = proto
      return value
    }),
  )
  const statics: Record<string, Native> = {
    assign: (_, [target, ...sources]) => copyFields(target, sources),
    entries: (_, [value]) => entriesOf(value)?.map(([name, item]): Value => [name, item]) ?? unknown,
    values: (_, [value]) => entriesOf(value)?.map(([, item]) => item) ?? unknown,
    keys: (_, [value]) => entriesOf(value)?.map(([name]) => name) ?? unknown,
    getOwnPropertyNames: (_, [value]) => entriesOf(value)?.map(([name]) => name) ?? unknown,
    create: (_, [proto]) => new Thing(isThing(proto) ? proto : null),
    getPrototypeOf: (_, [value]) => (isThing(value) ? value.proto : unknown),
    fromEntries: (_, [pairs]) => {
      const made = new Thing()
      for (const pair of machine.iterate(pairs) ?? []) {
        pay(effort, 4, 32)
        if (Array.isArray(pair)) made.fields.set(machine.textOf(pair[0]), pair[1])
      }
      return made
    },
    defineProperty: (_, [target, name, how]) => {
      defineProperty(target, text(name), how)
      return target
    },
    defineProperties: (_, [target, all]) => {
      if (isThing(all))
        for (const [name, how] of all.fields) {
          pay(effort, 4, 32)
          defineProperty(target, name, how)
        }
      return target
    },
    hasOwn: (_, [value, name]) =>
      isThing(value) ? value.fields.has(text(name)) || value.accessors.has(text(name)) : unknown,
  }
  for (const [name, native] of Object.entries(statics)) object.fields.set(name, functionOf(native))
  define('Object', object)
  define(
    'Reflect',
    objectOf({
      get: functionOf((_, [value, name]) => machine.member(value, text(name))),
      set: functionOf((_, [value, name, item]) => {
        machine.setMember(value, text(name), item)
        return true
      }),
      ownKeys: functionOf(statics['keys'] as Native),
      apply: functionOf((_, [callee, self, args]) => machine.call(callee, self, machine.iterate(args) ?? [])),
      construct: functionOf((_, [callee, args]) => machine.construct(callee, machine.iterate(args) ?? [])),
    }),
  )
  // Proxies ask their handler where that answers by itself, and their object otherwise.
  define(
    'Proxy',
    functionOf((_, [target, handler]) => {
      const get = isThing(handler) ? handler.fields.get('get') : undefined
      if (!isThing(get as Value) || !isThing(target)) return target
      const made = new Thing(target)
      pay(effort, 4 * target.fields.size, 64 * target.fields.size)
      for (const name of target.fields.keys())
        addAccessor(made, name, {
          get: functionOf(() => machine.call(get, handler, [target, name, made])),
          set: undefined,
        })
      return made
    }),
  )
  define(
    'JSON',
    objectOf({
      parse: functionOf((_, [value]) => (typeof value === 'string' ? parsed(value, machine) : unknown)),
      stringify: functionOf((_, [value]) => {
        const plain = jsonOf(value, 0, machine)
        return plain === undefined ? unknown : JSON.stringify(plain)
      }),
    }),
  )

  // Collections.
  const collection = (kind: 'map' | 'set') =>
    functionOf((_, [from]) => {
      const made = new Thing()
      made.kind = kind
      made.entries = new Map()
      for (const item of machine.iterate(from) ?? []) {
        pay(effort, 4, 32)
        if (kind === 'set') made.entries.set(item, item)
        else if (Array.isArray(item)) made.entries.set(item[0], item[1])
      }
      return made
    })
  for (const name of ['Map', 'WeakMap']) define(name, collection('map'))
  for (const name of ['Set', 'WeakSet']) define(name, collection('set'))
  let symbols = 0
  const symbol = functionOf((_, [name = '']) => `@@${text(name)} ${++symbols}`)
  for (const name of ['iterator', 'asyncIterator', 'toPrimitive', 'toStringTag'])
    symbol.fields.set(name, name === 'asyncIterator' ? '@@iterator' : `@@${name}`)
  symbol.fields.set(
    'for',
    functionOf((_, [name]) => `@@for ${text(name)}`),
  )
  define('Symbol', symbol)

  // A promise is what it is fulfilled with.
  const promise = functionOf((_, [executor]) => {
    let value: Value = unknown
    let isDone = false
    machine.call(executor, undefined, [
      functionOf((_, [given]) => {
        if (!isDone) value = given
        isDone = true
        return undefined
      }),
      functionOf(() => undefined),
    ])
    return value === undefined ? unknown : value
  })
  promise.fields.set('resolve', itself)
  for (const name of ['all', 'allSettled', 'any', 'race'])
    promise.fields.set(
      name,
      functionOf((_, [list]) => {
        const items = machine.iterate(list)
        if (items === null) return unknown
        if (name === 'all') return [...items]
        return name === 'allSettled'
          ? items.map((value) => objectOf({ status: 'fulfilled', value }))
          : items[0]
      }),
    )
  define('Promise', promise)
  for (const name of [
    'setTimeout',
    'queueMicrotask',
    'requestAnimationFrame',
    'setImmediate',
    'requestIdleCallback',
  ])
    define(
      name,
      functionOf((_, [callback, , ...args]) => {
        if (typeof callback === 'string') machine.evaluate(callback)
        else machine.call(callback, undefined, args)
        return 1
      }),
    )

  // Addresses.
  const query = (given: string) => {
    const made = new Thing()
    const values = new URLSearchParams(given)
    made.fields.set(
      'get',
      functionOf((_, [name]) => values.get(text(name))),
    )
    made.fields.set(
      'toString',
      functionOf(() => values.toString()),
    )
    return made
  }
  define(
    'URLSearchParams',
    functionOf((_, [given = '']) =>
      typeof given === 'string' && given.length < 4096 ? query(given) : unknown,
    ),
  )
  define(
    'URL',
    functionOf((_, [given, base]) => {
      if (typeof given !== 'string' || given.length > 4096) return unknown
      const address = URL.parse(given, typeof base === 'string' ? base : undefined)
      if (address === null) return unknown
      const { href, host, hostname, pathname, search, hash, origin, username, password } = address
      const made = objectOf({ href, host, hostname, pathname, search, hash, origin, username, password })
      made.fields.set('searchParams', query(search))
      made.fields.set(
        'toString',
        functionOf(() => href),
      )
      return made
    }),
  )

  // Scripts in texts.
  define(
    'eval',
    functionOf((_, [code]) => (typeof code === 'string' ? machine.evaluate(code) : code)),
  )
  define(
    'Function',
    functionOf((_, args) => {
      const texts = args.map(text)
      const body = texts.pop() ?? ''
      return machine.evaluate(`(function(${texts.join()}) {${body}\n})`)
    }),
  )
  define(
    'RegExp',
    functionOf((_, [source, flags = '']) => {
      if (source instanceof RegExp) return source
      if (typeof source !== 'string' || typeof flags !== 'string' || source.length > 512) return unknown
      try {
        return new RegExp(source, flags)
      } catch {
        return unknown
      }
    }),
  )
  for (const name of ['Error', 'TypeError', 'RangeError'])
    define(
      name,
      functionOf((self, [message]) => {
        const made = isThing(self) ? self : new Thing()
        made.fields.set('message', message)
        return made
      }),
    )
  for (const name of ['window', 'globalThis', 'self', 'global']) define(name, window)

  return {
    global(name) {
      return globals.has(name) ? { value: globals.get(name) } : undefined
    },
    method(self, name, args) {
      if (self === unknown || self === null || self === undefined) return promised(self, name, args, machine)
      const found =
        typeof self === 'string'
          ? textMethod(self, name, args, machine)
          : Array.isArray(self)
            ? listMethod(self, name, args, machine)
            : isBytes(self)
              ? bytesMethod(self, name, args, machine)
              : self instanceof RegExp
                ? textMethod(self, name, args, machine)
                : isThing(self)
                  ? (mapMethod(self, name, args, machine) ?? callMethod(self, name, args, machine))
                  : typeof self === 'number'
                    ? numberMethod(self, name, args)
                    : null
      return found ?? promised(self, name, args, machine)
    },
  }
}

/** Calls what waits for a promise, which is the value itself. */
function promised(
  self: Value,
  name: string,
  [done]: readonly Value[],
  machine: Machine,
): { readonly value: Value } | null {
  if (name === 'then') return { value: isThing(done) ? machine.call(done, undefined, [self]) : self }
  if (name === 'catch') return { value: self }
  if (name !== 'finally') return null
  if (isThing(done)) machine.call(done, undefined, [])
  return { value: self }
}

function numberMethod(
  self: number,
  name: string,
  [radix = 10]: readonly Value[],
): { readonly value: Value } | null {
  if (name === 'toString')
    return { value: typeof radix === 'number' && radix >= 2 && radix <= 36 ? self.toString(radix) : unknown }
  if (name === 'toFixed')
    return { value: typeof radix === 'number' && radix >= 0 && radix <= 20 ? self.toFixed(radix) : unknown }
  return name === 'valueOf' ? { value: self } : null
}

const deepest = 40

function parsed(written: string, machine: Machine): Value {
  pay(machine.effort, 4 * written.length, 8 * written.length)
  try {
    return fromJson(JSON.parse(written), 0)
  } catch {
    return unknown
  }
}

function fromJson(value: unknown, depth: number): Value {
  if (depth > deepest) return unknown
  if (Array.isArray(value)) return value.map((item: unknown) => fromJson(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value as Value
  const made = new Thing()
  for (const [name, item] of Object.entries(value)) made.fields.set(name, fromJson(item, depth + 1))
  return made
}

/** A value as JSON has it; `undefined` where it is not known. */
function jsonOf(value: Value, depth: number, machine: Machine): unknown {
  // The text is made of it, too.
  makeText(typeof value === 'string' ? 2 * value.length : 16, machine.effort)
  if (value === unknown || depth > deepest) return '\ufffc'
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth + 1, machine))
  if (!isThing(value)) return isBytes(value) || value instanceof RegExp ? undefined : value
  for (const name of value.fields.keys()) makeText(name.length, machine.effort)
  if (value.call !== null) return undefined
  return Object.fromEntries([...value.fields].map(([name, item]) => [name, jsonOf(item, depth + 1, machine)]))
}
