import { makeList, makeText } from '../../script/value.ts'
import {
  charactersOf,
  decodedBytes,
  joinTexts,
  patternOf,
  replacedByPattern,
  textAs,
  textOf,
} from '../text.ts'
import { createInstance, delegateOf, type Instance, isArray, isInstance, type Value } from '../value.ts'
import { type Call, collection, type Host, itemsOf, joined, type Reading } from './call.ts'
import { inOrder, ofBytesOut, ofSystem, ofUrls } from './platform.ts'
import { codesOf, ofBuilder, repeated, replaced } from './strings.ts'

const character = 'C'
const stringArray = 'Ljava/lang/String;'

function ofText(call: Call): Value {
  const { name, types, args, host } = call
  const [first, second, third] = args
  if (name === '<init>') return initialise(call)
  if (types.length === args.length) return staticOfText(call)
  const text = textOf(first ?? undefined)
  if (text === undefined || typeof first === 'number') return undefined
  const other = textAs(second, types[0] ?? '')
  makeText(text.length, host.effort)
  switch (name) {
    case 'ToString':
    case 'Normalize':
      return text
    case 'get_Length':
      return text.length
    case 'get_Chars':
      return typeof second === 'number' ? text.charCodeAt(second) : undefined
    case 'Substring':
      if (typeof second !== 'number') return undefined
      return text.slice(second, typeof third === 'number' ? second + third : undefined)
    case 'Remove':
      if (typeof second !== 'number') return undefined
      return text.slice(0, second) + (typeof third === 'number' ? text.slice(second + third) : '')
    case 'Insert':
      return typeof second === 'number'
        ? joinTexts([text.slice(0, second), textOf(third), text.slice(second)], '', host.effort)
        : undefined
    case 'Replace':
      return replaced(text, other, textAs(third, types[1] ?? ''), host.effort)
    case 'ToLower':
    case 'ToLowerInvariant':
      return text.toLowerCase()
    case 'ToUpper':
    case 'ToUpperInvariant':
      return text.toUpperCase()
    case 'Trim':
      return text.trim()
    case 'PadLeft':
    case 'PadRight':
      return padded(name, text, second, textAs(third, character) ?? ' ', host)
    case 'ToCharArray':
      return { element: character, items: codesOf(text, host.effort) }
    case 'Split': {
      const [one] = itemsOf(second) ?? [second]
      const on = textAs(one, types[0]?.endsWith(character) ? character : '')
      if (on === undefined || on === '') return undefined
      makeList(text.length, host.effort)
      return { element: stringArray, items: text.split(on) }
    }
    case 'StartsWith':
    case 'EndsWith':
    case 'Contains':
    case 'Equals':
      return other === undefined ? undefined : Number(compared(name, text, other))
    case 'IndexOf':
      return other === undefined ? undefined : text.indexOf(other)
    default:
      return undefined
  }
}

function compared(name: string, text: string, other: string): boolean {
  if (name === 'StartsWith') return text.startsWith(other)
  if (name === 'EndsWith') return text.endsWith(other)
  return name === 'Contains' ? text.includes(other) : text === other
}

function padded(name: string, text: string, width: Value, filler: string, host: Host): Value {
  if (typeof width !== 'number' || width < 0) return undefined
  makeText(width, host.effort)
  return name === 'PadLeft' ? text.padStart(width, filler) : text.padEnd(width, filler)
}

function initialise({ types, args, host }: Call): Value {
  const [self, content, from, count] = args
  if (!isInstance(self)) return undefined
  if (types[0] === character) {
    const one = textAs(content, character)
    self.text = one === undefined ? undefined : (repeated(one, from, host.effort) as string | undefined)
    return undefined
  }
  const start = typeof from === 'number' ? from : 0
  self.text = charactersOf(content, start, typeof count === 'number' ? start + count : undefined)
  return undefined
}

function staticOfText({ name, types, args, host }: Call): Value {
  const { effort } = host
  const [first, second, third, fourth] = args
  switch (name) {
    case 'Concat':
      return args.length === 1 ? joined(textsOf(first), '', effort) : joined(args, '', effort)
    case 'Join': {
      const separator = textAs(first, types[0] ?? '')
      const all = args.length === 4 && typeof third === 'number' && typeof fourth === 'number'
      const items = textsOf(second)
      return joined(all ? items?.slice(third, third + fourth) : items, separator, effort)
    }
    case 'Format':
      return formatted(args, types, host)
    case 'IsNullOrEmpty':
    case 'IsNullOrWhiteSpace':
      return typeof first === 'string' ? Number(first === '') : undefined
    case 'Intern':
    case 'Copy':
      return first
    case 'op_Equality':
    case 'op_Inequality':
      if (typeof first !== 'string' || typeof second !== 'string') return undefined
      return Number((first === second) === (name === 'op_Equality'))
    default:
      return undefined
  }
}

/** Fills a format such as `{0}_{1}`; `undefined` where it says how something is written. */
function formatted(args: readonly Value[], types: readonly string[], host: Host): Value {
  const isFirst = types[0] === stringArray
  const [format, ...given] = isFirst ? args : args.slice(1)
  if (typeof format !== 'string') return undefined
  const [only] = given
  const values = given.length === 1 && isArray(only) ? only.items : given
  makeText(format.length, host.effort)
  let isKnown = true
  const text = format.replace(
    /\{\{|\}\}|\{(\d+)((?:[^\d{}][^{}]*)?)\}/g,
    (all, index: string | undefined, how) => {
      if (index === undefined) return all[0] ?? ''
      const value = values[Number(index)]
      const written = how === '' ? textOf(value) : writtenAs(value, how)
      if (written === undefined) isKnown = false
      return written ?? ''
    },
  )
  return isKnown ? text : undefined
}

function writtenAs(value: Value, how: string): string | undefined {
  const hex = /^:([xX])(\d*)$/.exec(how)
  if (hex === null || typeof value !== 'number') return undefined
  const text = value.toString(16).padStart(Number(hex[2]), '0')
  return hex[1] === 'X' ? text.toUpperCase() : text
}

const builderMethods: Readonly<Record<string, string>> = {
  '<init>': '<init>',
  Append: 'append',
  ToString: 'toString',
  get_Length: 'length',
  get_Chars: 'charAt',
}

function ofTextBuilder(call: Call): Value {
  const { name, types, args, host } = call
  const [self, first, second] = args
  if (!isInstance(self)) return undefined
  const { text } = self
  const change = (changed: string | undefined) => {
    self.text = changed
    return self
  }
  switch (name) {
    case 'Append':
      if (types[0] === character && typeof second === 'number') {
        const one = textAs(first, character)
        const added =
          one === undefined ? undefined : (repeated(one, second, host.effort) as string | undefined)
        return change(joinTexts([text, added], '', host.effort))
      }
      break
    case 'AppendFormat': {
      const added = formatted(args.slice(1), types, host)
      return change(joinTexts([text, typeof added === 'string' ? added : undefined], '', host.effort))
    }
    case 'AppendLine':
      return change(joinTexts([text, types.length === 0 ? '' : textOf(first), '\n'], '', host.effort))
    case 'AppendJoin':
      return change(
        joinTexts(
          [text, joined(itemsOf(second), textAs(first, types[0] ?? ''), host.effort)],
          '',
          host.effort,
        ),
      )
    case 'Insert':
      return change(
        typeof first === 'number'
          ? joinTexts(
              [text?.slice(0, first), textAs(second, types[1] ?? ''), text?.slice(first)],
              '',
              host.effort,
            )
          : undefined,
      )
    case 'Remove':
      return change(
        typeof first === 'number' && typeof second === 'number' && text !== undefined
          ? text.slice(0, first) + text.slice(first + second)
          : undefined,
      )
    case 'Replace':
      if (text === undefined) return self
      return change(
        replaced(text, textAs(first, types[0] ?? ''), textAs(second, types[1] ?? ''), host.effort),
      )
    case 'Clear':
      return change('')
    case 'set_Chars': {
      const one = textAs(second, character)
      if (typeof first === 'number' && text !== undefined && one !== undefined)
        self.text = text.slice(0, first) + one + text.slice(first + 1)
      return undefined
    }
  }
  const java = builderMethods[name]
  return java === undefined ? undefined : ofBuilder({ ...call, name: java })
}

function ofEncoding({ name, args, host }: Call): Value {
  if (name.startsWith('get_')) return createInstance('System/Text/Encoding')
  const [, first, from, count] = args
  if (name === 'GetString') {
    const start = typeof from === 'number' ? from : 0
    return decodedBytes(first, start, typeof count === 'number' ? start + count : undefined)
  }
  if (name !== 'GetBytes') return undefined
  const text = textOf(first)
  if (text === undefined || typeof first !== 'string') return undefined
  makeList(text.length, host.effort)
  return { element: 'B', items: [...Buffer.from(text)] }
}

function ofConvert({ name, types, args, host }: Call): Value {
  const [first, second] = args
  switch (name) {
    case 'FromBase64String':
    case 'FromHexString': {
      if (typeof first !== 'string') return undefined
      makeList(first.length, host.effort)
      return { element: 'B', items: [...Buffer.from(first, name === 'FromHexString' ? 'hex' : 'base64')] }
    }
    case 'ToChar':
    case 'ToInt32':
    case 'ToByte':
      if (typeof first === 'number') return first
      if (typeof first !== 'string') return undefined
      return Number.parseInt(first, typeof second === 'number' ? second : 10) | 0
    case 'ToString':
      return textAs(first, types[0] ?? '')
    default:
      return undefined
  }
}

/** Copies bytes or items, from a place of each array or from their beginnings. */
function ofCopy(call: Call): Value {
  const { name, args } = call
  if (name !== 'BlockCopy' && name !== 'Copy') return undefined
  const [source, target, count] = args
  return ofSystem({
    ...call,
    name: 'arraycopy',
    args: args.length === 3 ? [source, 0, target, 0, count] : args,
  })
}

function ofRegex({ name, args, host }: Call): Value {
  const [first, second, third] = args
  if (isInstance(first)) {
    if (name === '<init>') first.text = textOf(second)
    if (name !== 'Replace' || typeof second !== 'string' || first.text === undefined) return undefined
    return replacedByPattern(second, patternOf(first.text), textOf(third), host.effort)
  }
  if (name !== 'Replace' || typeof first !== 'string' || typeof second !== 'string') return undefined
  return replacedByPattern(first, patternOf(second), textOf(third), host.effort)
}

const urlMethods = new Set(['UnescapeDataString', 'UrlDecode'])

function ofUrl(call: Call): Value {
  return urlMethods.has(call.name) ? ofUrls({ ...call, name: 'decode' }) : undefined
}

const streamMethods: Readonly<Record<string, string>> = {
  '<init>': '<init>',
  Write: 'write',
  WriteByte: 'write',
  ToArray: 'toByteArray',
}

function ofMemoryStream(call: Call): Value {
  const name = streamMethods[call.name]
  return name === undefined ? undefined : ofBytesOut({ ...call, name })
}

const pairType = 'System/Collections/Generic/KeyValuePair`2'

/** Pairs and tuples, by the order of what they are made of. */
function ofTuple({ name, args, host }: Call): Value {
  if (name === 'Create') return collection('System/Tuple', args, host.effort)
  const [self] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = args.slice(1)
    return undefined
  }
  const [, place] = /^get_(?:Item(\d)|Key|Value)$/.exec(name) ?? []
  if (place !== undefined) return self.items?.[Number(place) - 1]
  return name === 'get_Key' ? self.items?.[0] : name === 'get_Value' ? self.items?.[1] : undefined
}

/** Gives what is enumerated of a collection: the entries of a dictionary are pairs. */
function enumerated(value: Value, host: Host): readonly Value[] | undefined {
  if (!isInstance(value) || value.entries === undefined || value.entries.size === 0) return itemsOf(value)
  return [...value.entries].map((pair) => collection(pairType, pair, host.effort))
}

function ofArray(call: Call): Value {
  const { name, args, host } = call
  const [first, second] = args
  if (!isArray(first)) return undefined
  makeList(first.items.length, host.effort)
  switch (name) {
    case 'Reverse':
      first.items.reverse()
      return undefined
    case 'Copy':
      return ofCopy(call)
    case 'CopyTo':
      return ofCopy({ ...call, name: 'Copy', args: [first, 0, second, args[2], first.items.length] })
    case 'get_Length':
      return first.items.length
    case 'ConvertAll':
      return { element: 'A', items: first.items.map((item) => host.call(second, 'Invoke', [item])) }
    case 'GetValue':
      return typeof second === 'number' ? first.items[second] : undefined
    default:
      return undefined
  }
}

const listType = 'System/Collections/Generic/List`1'

/** Lists and other collections, and what enumerates them. */
function ofList({ name, args, host }: Call): Value {
  const [self, first, second] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = [...(itemsOf(first) ?? [])]
    self.entries = new Map()
    return undefined
  }
  const items = self.items ?? []
  makeList(items.length + 1, host.effort)
  switch (name) {
    case 'Add':
    case 'Enqueue':
    case 'Push':
      if (args.length === 3) self.entries?.set(first, second)
      else items.push(first)
      return 1
    case 'AddRange':
      items.push(...(itemsOf(first) ?? []))
      return undefined
    case 'Insert':
      if (typeof first === 'number') items.splice(first, 0, second)
      return undefined
    case 'set_Item':
      if (self.entries !== undefined && typeof first !== 'number') self.entries.set(first, second)
      else if (typeof first === 'number') items[first] = second
      return undefined
    case 'get_Item':
      if (self.entries?.has(first) === true) return self.entries.get(first)
      return typeof first === 'number' ? items[first] : undefined
    case 'get_Values':
      return collection(listType, [...(self.entries?.values() ?? [])], host.effort)
    case 'get_Count':
      return items.length
    case 'Reverse':
      items.reverse()
      return undefined
    case 'ToArray':
      return { element: 'A', items: [...items] }
    case 'GetEnumerator':
      return collection(
        'System/Collections/Generic/List`1/Enumerator',
        enumerated(self, host) ?? items,
        host.effort,
      )
    case 'MoveNext': {
      if (items.length === 0) return 0
      self.fields.set('current', items.shift())
      return 1
    }
    case 'get_Current':
      return self.fields.get('current')
    case 'Dequeue':
      return items.shift()
    case 'Pop':
      return items.pop()
    default:
      return undefined
  }
}

/** The type of what a collection holds, where it is characters: they are numbers here. */
const elementField = '$element'

/** Says whether a delegate returns characters. */
function makesCharacters(delegate: Instance): boolean {
  const method = delegate.fields.get(delegateOf.method)
  return typeof method === 'string' && method.endsWith(`)${character}`)
}

/** Gives the texts of the items of a collection. */
function textsOf(value: Value): Value[] | undefined {
  const isOfCharacters = isInstance(value) && value.fields.get(elementField) === character
  return itemsOf(value)?.map((item) => (isOfCharacters ? textAs(item, character) : item))
}

/** Methods that extend whatever has items. */
function ofEnumerable({ name, args, host }: Call): Value {
  const [source, second, third] = args
  const items = typeof source === 'string' ? codesOf(source, host.effort) : enumerated(source, host)
  if (items === undefined) return undefined
  makeList(items.length, host.effort)
  const call = (...given: Value[]) => host.call(second, 'Invoke', given)
  const listed = (list: readonly Value[]) => collection(listType, list, host.effort)
  switch (name) {
    case 'Select': {
      const selected = listed(items.map((item, index) => call(item, index)))
      if (isInstance(second) && makesCharacters(second)) selected.fields.set(elementField, character)
      return selected
    }
    case 'OrderBy':
    case 'OrderByDescending': {
      const keyed = items.map((item) => [call(item), item] as const)
      const sorted = keyed.sort(([one], [other]) => inOrder(one, other)).map(([, item]) => item)
      return listed(name === 'OrderBy' ? sorted : sorted.reverse())
    }
    case 'Where':
      return listed(items.filter((item) => call(item) === 1))
    case 'Reverse':
      return listed([...items].reverse())
    case 'Concat':
      return listed([...items, ...(itemsOf(second) ?? [])])
    case 'Skip':
      return typeof second === 'number' ? listed(items.slice(second)) : undefined
    case 'Take':
      return typeof second === 'number' ? listed(items.slice(0, second)) : undefined
    case 'Cast':
    case 'AsEnumerable':
    case 'ToList':
    case 'OfType':
      return listed(items)
    case 'ToArray':
      return { element: typeof source === 'string' ? character : 'A', items: [...items] }
    case 'Aggregate': {
      const isSeeded = args.length > 2
      const rest = isSeeded ? items : items.slice(1)
      let total = isSeeded ? second : items[0]
      for (const item of rest) total = host.call(isSeeded ? third : second, 'Invoke', [total, item])
      return total
    }
    default:
      return undefined
  }
}

function ofDelegate({ name, args, host }: Call): Value {
  const [self, target, method] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.fields.set(delegateOf.target, target)
    self.fields.set(delegateOf.method, method)
    return undefined
  }
  return name === 'Invoke' ? host.call(self, name, args.slice(1)) : undefined
}

function ofCharacterType({ name, args }: Call): Value {
  const [first] = args
  if (name === 'ToString') return textAs(first, character)
  if (typeof first !== 'number') return undefined
  const text = String.fromCharCode(first)
  if (name.startsWith('ToUpper')) return text.toUpperCase().charCodeAt(0)
  return name.startsWith('ToLower') ? text.toLowerCase().charCodeAt(0) : undefined
}

function ofNumberType({ name, args }: Call): Value {
  const [first, second] = args
  if (name === 'ToString')
    return typeof first !== 'number'
      ? undefined
      : typeof second === 'string'
        ? writtenAs(first, `:${second}`)
        : String(first)
  return name === 'Parse' && typeof first === 'string' ? Number.parseInt(first, 10) | 0 : undefined
}

/** Interpolated texts of newer compilers: what is appended is the text of a value that is made in place. */
function ofInterpolated({ name, types, args, host }: Call): Value {
  const [self, first] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') self.text = ''
  else if (name.startsWith('Append'))
    self.text = joinTexts([self.text, textAs(first, types[0] ?? '')], '', host.effort)
  else if (name.startsWith('ToString')) return self.text
  return undefined
}

/** The address of an item of an array. That of a variable is the variable's value, as far as it is read. */
function ofAddress({ name, args, descriptor }: Call): Value {
  const [first, second] = args
  if (name === 'of') {
    const address = createInstance('System/Address')
    address.items = [first, second]
    return address
  }
  const [array, index] = isInstance(first) && first.type === 'System/Address' ? (first.items ?? []) : []
  if (array === undefined) return name === 'get' ? first : undefined
  if (!isArray(array) || typeof index !== 'number' || index < 0 || index >= array.items.length)
    return undefined
  if (name === 'set') {
    array.items[index] = second
    return undefined
  }
  const item = array.items[index]
  return descriptor.endsWith('B') && typeof item === 'number' ? item & 0xff : item
}

/** A value that is made when it is asked for. */
function ofLazyType({ name, args, host }: Call): Value {
  const [self, make] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') self.fields.set(delegateOf.target, make)
  return name === 'get_Value' ? host.call(self.fields.get(delegateOf.target), 'Invoke', []) : undefined
}

const readings: Readonly<Record<string, Reading>> = {
  'System/String': ofText,
  'System/Address': ofAddress,
  'System/Lazy`1': ofLazyType,
  'System/Text/StringBuilder': ofTextBuilder,
  'System/Text/Encoding': ofEncoding,
  'System/Text/UTF8Encoding': ofEncoding,
  'System/Convert': ofConvert,
  'System/Array': ofArray,
  'System/Buffer': ofCopy,
  'System/IO/MemoryStream': ofMemoryStream,
  'System/IO/Stream': ofMemoryStream,
  'System/Text/RegularExpressions/Regex': ofRegex,
  'System/Uri': ofUrl,
  'System/Net/WebUtility': ofUrl,
  'System/Tuple': ofTuple,
  [pairType]: ofTuple,
  'System/Char': ofCharacterType,
  'System/Int32': ofNumberType,
  'System/Byte': ofNumberType,
  'System/Linq/Enumerable': ofEnumerable,
  'System/Runtime/CompilerServices/DefaultInterpolatedStringHandler': ofInterpolated,
}

/** Gives the reading of a class of .NET. A text is also what `Object` says that it is. */
export function dotnetReadingOf(owner: string): Reading | undefined {
  const known = readings[owner]
  if (known !== undefined) return known
  if (/^System\/(?:Func|Action|Converter|Predicate|MulticastDelegate)/.test(owner)) return ofDelegate
  if (/^System\/(?:Value)?Tuple`/.test(owner)) return ofTuple
  if (/^System\/Collections\//.test(owner)) return ofList
  return owner === 'System/Object' ? ofObjectType : undefined
}

function ofObjectType({ name, args }: Call): Value {
  const [first] = args
  return name === 'ToString' ? textOf((first as Instance | string | undefined) ?? undefined) : undefined
}
