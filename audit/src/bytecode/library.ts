import { type Effort, pay } from '../model/effort.ts'
import { makeList, makeText } from '../script/value.ts'
import {
  boxedCharacter,
  charactersOf,
  decodedBytes,
  formatted,
  joinTexts,
  literalOfPattern,
  textAs,
  textOf,
} from './text.ts'
import {
  createInstance,
  type Instance,
  isArray,
  isInstance,
  isWide,
  type MemberRef,
  settled,
  signatureOf,
  type Value,
} from './value.ts'

/** What a library call needs of the machine that makes it. */
export interface Host {
  readonly effort: Effort
  /** Calls a lambda of the program. */
  call(lambda: Value, method: string, args: readonly Value[]): Value
}

interface Call {
  readonly name: string
  readonly descriptor: string
  /** The types of the parameters, without the receiver. */
  readonly types: readonly string[]
  /** With the receiver, where the method has one. */
  readonly args: readonly Value[]
  readonly host: Host
}

type Reading = (call: Call) => Value

/** Classes whose methods are read, by the end of their names: a shrinker moves none of the platform's. */
const readings: Readonly<Record<string, Reading>> = {
  'java/lang/String': ofString,
  'java/lang/CharSequence': ofString,
  'java/lang/StringBuilder': ofBuilder,
  'java/lang/StringBuffer': ofBuilder,
  'java/lang/AbstractStringBuilder': ofBuilder,
  'java/lang/Appendable': ofBuilder,
  'java/lang/Character': ofCharacter,
  'java/lang/Integer': ofNumber,
  'java/lang/Byte': ofNumber,
  'java/lang/Short': ofNumber,
  'java/lang/Long': ofNumber,
  'java/lang/Number': ofNumber,
  'java/lang/Boolean': ofNumber,
  'java/lang/Object': ofObject,
  'java/lang/Iterable': ofCollection,
  'java/util/Arrays': ofArrays,
  'java/util/Objects': ofObjects,
  'java/util/Collections': ofArrays,
  'java/util/stream/Stream': ofStream,
  'java/util/stream/Collectors': ofCollectors,
  'java/util/StringJoiner': ofJoiner,
  'java/util/Base64': ofBase64,
  'java/util/Base64$Decoder': ofBase64,
  'android/util/Base64': ofBase64,
  'android/text/TextUtils': ofTextUtils,
  'kotlin/jvm/internal/Intrinsics': ofIntrinsics,
  'kotlin/text/StringsKt': ofKotlinStrings,
  'kotlin/text/CharsKt': ofKotlinStrings,
  'kotlin/collections/CollectionsKt': ofKotlinCollections,
  'kotlin/collections/ArraysKt': ofKotlinCollections,
  'kotlin/LazyKt': ofLazy,
  'kotlin/Lazy': ofLazy,
  'kotlin/TuplesKt': ofTuples,
  'kotlin/collections/MapsKt': ofTuples,
}

const collections =
  /^java\/util\/(?:(?:Array|Linked|Abstract)?List|Collection|Iterator|ListIterator|(?:Array)?Deque|Vector|Stack|Queue|(?:Linked)?(?:Hash)?Set)$/
const maps = /^java\/util\/(?:(?:Linked)?(?:Hash|Tree)?Map|Map|Hashtable|concurrent\/ConcurrentHashMap)$/

/** Kotlin's facades have parts: `StringsKt__StringsJVMKt`. */
function readingOf(owner: string): Reading | undefined {
  const facade = owner.replace(/__.*|Kt___.*$/, (part) => (part.startsWith('Kt') ? 'Kt' : ''))
  const known = readings[facade]
  if (known !== undefined) return known
  if (collections.test(owner)) return ofCollection
  return maps.test(owner) ? ofMap : undefined
}

/** Says whether the library reads the methods of a class. */
export function isOfLibrary(owner: string): boolean {
  return readingOf(owner) !== undefined
}

/** Gives what a method of the platform returns for constants; `undefined` where that is not known. @throws OverEffort */
export function callLibrary(
  { owner, name, descriptor }: MemberRef,
  args: readonly Value[],
  host: Host,
): Value {
  pay(host.effort, stepsOfCall)
  const { parameters } = signatureOf(descriptor)
  return readingOf(owner)?.({ name, descriptor, types: parameters, args: args.map(settled), host })
}

const stepsOfCall = 8

function ofString(call: Call): Value {
  const { name, descriptor, types, args, host } = call
  const [first, second, third] = args
  if (name === '<init>') return initialiseString(call)
  if (descriptor.endsWith(')Ljava/lang/String;') && types.length === args.length) return staticOfString(call)
  // A builder is a sequence of characters as well.
  const text = textOf(first ?? undefined)
  if (typeof first === 'number' || text === undefined) return undefined
  const other = textOf(second ?? undefined)
  makeText(text.length, host.effort)
  switch (name) {
    case 'toString':
    case 'intern':
      return text
    case 'concat':
      return joinTexts([text, other], '', host.effort)
    case 'length':
      return text.length
    case 'isEmpty':
      return Number(text.length === 0)
    case 'charAt':
    case 'codePointAt':
      return typeof second === 'number' && second < text.length ? text.charCodeAt(second) : undefined
    case 'substring':
    case 'subSequence':
      if (typeof second !== 'number') return undefined
      if (args.length > 2 && typeof third !== 'number') return undefined
      return text.slice(second, typeof third === 'number' ? third : undefined)
    case 'replace':
      return replaced(text, textAs(second, types[0] ?? ''), textAs(third, types[1] ?? ''), host.effort)
    case 'replaceAll':
      return replaced(text, patternIn(second), textOf(third), host.effort)
    case 'replaceFirst': {
      const [from, to] = [patternIn(second), textOf(third)]
      return from === undefined || to === undefined ? undefined : text.replace(from, () => to)
    }
    case 'split': {
      const separator = patternIn(second)
      return separator === undefined ? undefined : stringArray(text.split(separator), host.effort)
    }
    case 'trim':
    case 'strip':
      return text.trim()
    case 'toLowerCase':
      return text.toLowerCase()
    case 'toUpperCase':
      return text.toUpperCase()
    case 'repeat':
      return repeated(text, second, host.effort)
    case 'toCharArray':
      return { element: 'C', items: codesOf(text, host.effort) }
    case 'getBytes':
      makeList(text.length, host.effort)
      return { element: 'B', items: [...new Int8Array(Buffer.from(text))] }
    case 'indexOf':
      return typeof second === 'number'
        ? text.indexOf(String.fromCharCode(second))
        : text.indexOf(other ?? '')
    case 'equals':
    case 'contentEquals':
      return other === undefined ? undefined : Number(text === other)
    case 'startsWith':
      return other === undefined ? undefined : Number(text.startsWith(other))
    case 'endsWith':
      return other === undefined ? undefined : Number(text.endsWith(other))
    case 'contains':
      return other === undefined ? undefined : Number(text.includes(other))
    default:
      return undefined
  }
}

function initialiseString({ types, args }: Call): Value {
  const [self, content, from, count] = args
  if (!isInstance(self)) return undefined
  const [type = ''] = types
  const start = typeof from === 'number' ? from : 0
  const end = typeof count === 'number' && typeof from === 'number' ? start + count : undefined
  if (type === '[C') self.text = charactersOf(content, start, end)
  else if (type === '[B') self.text = decodedBytes(content, start, end)
  else if (type === '[I') self.text = charactersOf(content, start, end)
  else self.text = types.length === 0 ? '' : textOf(content)
  return undefined
}

function staticOfString({ name, types, args, host }: Call): Value {
  const [first, second] = args
  switch (name) {
    case 'valueOf':
    case 'copyValueOf':
      return textAs(first, types[0] ?? '')
    case 'join':
      return joined(itemsOf(second), textOf(first), host.effort)
    case 'format': {
      const [format, values] = types[0] === 'Ljava/util/Locale;' ? args.slice(1) : args
      const items = itemsOf(values)
      if (typeof format !== 'string' || items === undefined) return undefined
      makeText(format.length, host.effort)
      return formatted(format, items)
    }
    default:
      return undefined
  }
}

function ofBuilder(call: Call): Value {
  const { name, types, args, host } = call
  const [self, first, second] = args
  if (!isInstance(self)) return ofString(call)
  if (name === '<init>') {
    self.text = types.length === 0 || types[0] === 'I' ? '' : textOf(first)
    return undefined
  }
  const { text } = self
  switch (name) {
    case 'append':
      self.text = joinTexts([text, appended(call)], '', host.effort)
      return self
    case 'appendCodePoint':
      self.text = joinTexts([text, textAs(first, 'C')], '', host.effort)
      return self
    case 'insert': {
      const added = textAs(second, types[1] ?? '')
      self.text =
        typeof first === 'number'
          ? joinTexts([text?.slice(0, first), added, text?.slice(first)], '', host.effort)
          : undefined
      return self
    }
    case 'reverse':
      makeText(text?.length ?? 0, host.effort)
      self.text = text === undefined ? undefined : reversed(text)
      return self
    case 'deleteCharAt':
    case 'delete':
    case 'setCharAt':
    case 'setLength':
    case 'replace':
      makeText(text?.length ?? 0, host.effort)
      self.text = text === undefined ? undefined : changed(name, text, args.slice(1))
      return name.startsWith('set') ? undefined : self
    default:
      return ofString(call)
  }
}

function appended({ types, args }: Call): string | undefined {
  const [, first, second, third] = args
  if (types.length === 1) return textAs(first, types[0] ?? '')
  if (typeof second !== 'number' || typeof third !== 'number') return undefined
  // Of an array it is how many, of a sequence where it ends.
  if (types[0] === '[C') return charactersOf(first, second, second + third)
  return textOf(first)?.slice(second, third)
}

function changed(name: string, text: string, args: readonly Value[]): string | undefined {
  const [from, to, added] = args
  if (typeof from !== 'number') return undefined
  if (name === 'setLength') return text.slice(0, from)
  if (name === 'deleteCharAt') return text.slice(0, from) + text.slice(from + 1)
  if (typeof to !== 'number') return undefined
  if (name === 'setCharAt') return text.slice(0, from) + String.fromCharCode(to) + text.slice(from + 1)
  if (name === 'delete') return text.slice(0, from) + text.slice(to)
  const between = textOf(added)
  return between === undefined ? undefined : text.slice(0, from) + between + text.slice(to)
}

function ofCharacter({ name, args }: Call): Value {
  const [first, second] = args
  const code = isInstance(first) ? first.items?.[0] : first
  if (typeof code !== 'number') return undefined
  switch (name) {
    case 'valueOf': {
      const box = createInstance(boxedCharacter)
      box.items = [code]
      return box
    }
    case 'charValue':
      return code
    case 'toString':
      return String.fromCharCode(code)
    case 'toChars':
      return { element: 'C', items: [code] }
    case 'toUpperCase':
      return String.fromCharCode(code).toUpperCase().charCodeAt(0)
    case 'toLowerCase':
      return String.fromCharCode(code).toLowerCase().charCodeAt(0)
    case 'digit':
    case 'getNumericValue': {
      const digit = Number.parseInt(String.fromCharCode(code), typeof second === 'number' ? second : 36)
      return Number.isNaN(digit) ? -1 : digit
    }
    default:
      return undefined
  }
}

/** A boxed number is the number itself. */
function ofNumber({ name, args, descriptor }: Call): Value {
  const [first, second] = args
  if (name.startsWith('parse') || (name === 'valueOf' && typeof first === 'string')) {
    if (typeof first !== 'string') return undefined
    const number = Number.parseInt(first, typeof second === 'number' ? second : 10)
    if (Number.isNaN(number)) return undefined
    return descriptor.endsWith(')J') ? { wide: BigInt(number) } : number
  }
  if (name === 'toHexString') return typeof first === 'number' ? (first >>> 0).toString(16) : undefined
  if (name === 'toString') return textOf(first)
  if (name === 'valueOf' || name.endsWith('Value')) {
    if (name === 'longValue') return { wide: typeof first === 'number' ? BigInt(first) : undefined }
    if (name === 'byteValue' && typeof first === 'number') return (first << 24) >> 24
    return typeof first === 'number' || isWide(first) ? first : undefined
  }
  return undefined
}

function ofObject({ name, args }: Call): Value {
  if (name === 'toString') return textOf(args[0] ?? undefined)
  // An array is cloned as an object.
  if (name === 'clone' && isArray(args[0])) return { element: args[0].element, items: [...args[0].items] }
  return undefined
}

function ofObjects({ name, args }: Call): Value {
  if (name === 'requireNonNull') return args[0]
  return name === 'toString' ? textOf(args[0]) : undefined
}

/** Gives the items of an array, a collection or an iterator. */
function itemsOf(value: Value): readonly Value[] | undefined {
  if (isArray(value)) return value.items
  return isInstance(value) && value.type !== boxedCharacter ? value.items : undefined
}

function collection(type: string, items: readonly Value[], effort: Effort): Instance {
  makeList(items.length, effort)
  const made = createInstance(type)
  made.items = [...items]
  return made
}

const listType = 'java/util/ArrayList'
const iteratorType = 'java/util/Iterator'

function ofCollection(call: Call): Value {
  const { name, types, args, host } = call
  const [self, first, second] = args
  if (name === 'of' || name === 'copyOf') return collection(listType, variadic(call), host.effort)
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = types[0] === undefined || types[0] === 'I' ? [] : [...(itemsOf(first) ?? [])]
    return undefined
  }
  const items = self.items
  if (items === undefined) return undefined
  makeList(1, host.effort)
  switch (name) {
    case 'add':
    case 'addLast':
    case 'offer':
    case 'push':
      if (types.length === 2 && typeof first === 'number') items.splice(first, 0, second)
      else items.push(first)
      return 1
    case 'addFirst':
      items.unshift(first)
      return undefined
    case 'addAll':
      makeList(items.length, host.effort)
      items.push(...(itemsOf(first) ?? []))
      return 1
    case 'get':
      return typeof first === 'number' ? items[first] : undefined
    case 'set':
      if (typeof first === 'number' && first < items.length) items[first] = second
      return undefined
    case 'size':
      return items.length
    case 'isEmpty':
      return Number(items.length === 0)
    case 'iterator':
    case 'listIterator':
      return collection(iteratorType, items, host.effort)
    case 'stream':
      return collection(streamType, items, host.effort)
    case 'hasNext':
      return Number(items.length > 0)
    case 'next':
    case 'removeFirst':
    case 'poll':
    case 'remove':
      return items.shift()
    case 'toArray':
      return { element: 'Ljava/lang/Object;', items: [...items] }
    default:
      return undefined
  }
}

/** Gives the arguments of a method that takes any number of them, or one array. */
function variadic({ types, args }: Call): readonly Value[] {
  const [only] = args
  return types.length === 1 ? (itemsOf(only) ?? [only]) : args
}

function ofArrays(call: Call): Value {
  const { name, args, host } = call
  const [first] = args
  switch (name) {
    case 'asList':
    case 'singletonList':
    case 'unmodifiableList':
      return collection(listType, variadic(call), host.effort)
    case 'emptyList':
      return collection(listType, [], host.effort)
    case 'stream':
      return collection(streamType, itemsOf(first) ?? [], host.effort)
    case 'reverse': {
      if (isInstance(first)) first.items?.reverse()
      return undefined
    }
    case 'copyOf':
    case 'copyOfRange': {
      const [, from, to] = args
      if (!isArray(first) || typeof from !== 'number') return undefined
      makeList(first.items.length, host.effort)
      const [start, end] = name === 'copyOf' ? [0, from] : [from, typeof to === 'number' ? to : undefined]
      return { element: first.element, items: first.items.slice(start, end) }
    }
    default:
      return undefined
  }
}

const streamType = 'java/util/stream/Stream'

function ofStream(call: Call): Value {
  const { name, args, host } = call
  if (name === 'of') return collection(streamType, variadic(call), host.effort)
  const [self, collector] = args
  const items = itemsOf(self)
  if (items === undefined) return undefined
  if (name === 'collect' && isInstance(collector) && collector.type === collectorType) {
    const [separator = '', before = '', after = ''] = collector.items ?? []
    const inner = joined(items, textOf(separator), host.effort)
    return joinTexts([textOf(before), inner, textOf(after)], '', host.effort)
  }
  return name === 'toList' ? collection(listType, items, host.effort) : undefined
}

const collectorType = 'java/util/stream/Collector'

function ofCollectors({ name, args, host }: Call): Value {
  return name === 'joining' ? collection(collectorType, args, host.effort) : undefined
}

function ofJoiner({ name, types, args, host }: Call): Value {
  const [self, first] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = []
    self.fields.set('separator', types.length === 1 ? first : undefined)
    return undefined
  }
  if (name === 'add') {
    makeList(1, host.effort)
    self.items?.push(first)
    return self
  }
  return name === 'toString'
    ? joined(self.items, textOf(self.fields.get('separator')), host.effort)
    : undefined
}

const decoderType = 'java/util/Base64$Decoder'

function ofBase64({ name, args, descriptor, host }: Call): Value {
  if (/^get(?:Url|Mime)?Decoder$/.test(name)) return createInstance(decoderType)
  if (name !== 'decode' || !descriptor.endsWith(')[B')) return undefined
  const [first, second] = args
  const given = isInstance(first) && first.type === decoderType ? second : first
  const text = isArray(given) ? decodedBytes(given) : textOf(given)
  if (text === undefined) return undefined
  makeList(text.length, host.effort)
  return { element: 'B', items: [...new Int8Array(Buffer.from(text, 'base64'))] }
}

function ofTextUtils({ name, args, host }: Call): Value {
  const [first, second] = args
  if (name === 'join') return joined(itemsOf(second), textOf(first), host.effort)
  if (name === 'concat') return joined(itemsOf(first), '', host.effort)
  return name === 'isEmpty' && typeof first === 'string' ? Number(first === '') : undefined
}

function ofIntrinsics({ name, args, host }: Call): Value {
  const [first, second] = args
  if (name === 'stringPlus') return joinTexts([textOf(first), textOf(second)], '', host.effort)
  return name === 'areEqual' && typeof first === 'string' && typeof second === 'string'
    ? Number(first === second)
    : undefined
}

/** A function with default arguments ends in `$default`: a mask says which of them are not given. */
function ofKotlinStrings(call: Call): Value {
  const { types, args, host } = call
  const name = call.name.replace(/\$default$/, '')
  const [first, second, third] = args
  if (name === 'concatToString') return charactersOf(first)
  if (name === 'decodeToString') return decodedBytes(first)
  if (name === 'digitToInt' && typeof first === 'number')
    return Number.parseInt(String.fromCharCode(first), typeof second === 'number' ? second : 10)
  if (name === 'checkRadix') return first
  const text = textOf(first ?? undefined)
  if (text === undefined) return undefined
  makeText(text.length, host.effort)
  const other = textAs(second, types[1] ?? '')
  switch (name) {
    case 'reversed':
      return reversed(text)
    case 'replace':
      return replaced(text, other, textAs(third, types[2] ?? ''), host.effort)
    case 'trim':
      return text.trim()
    case 'plus':
      return joinTexts([text, other], '', host.effort)
    case 'repeat':
      return repeated(text, second, host.effort)
    case 'drop':
      return typeof second === 'number' ? text.slice(second) : undefined
    case 'take':
      return typeof second === 'number' ? text.slice(0, second) : undefined
    case 'dropLast':
      return typeof second === 'number' ? text.slice(0, text.length - second) : undefined
    case 'takeLast':
      return typeof second === 'number' ? text.slice(Math.max(0, text.length - second)) : undefined
    case 'removePrefix':
      return other !== undefined && text.startsWith(other) ? text.slice(other.length) : text
    case 'removeSuffix':
      return other !== undefined && text.endsWith(other) ? text.slice(0, text.length - other.length) : text
    case 'substringAfter':
    case 'substringBefore':
    case 'substringAfterLast':
    case 'substringBeforeLast':
      return other === undefined ? undefined : partBeside(text, other, name)
    case 'toCharArray':
      return { element: 'C', items: codesOf(text, host.effort) }
    case 'encodeToByteArray':
      return { element: 'B', items: [...new Int8Array(Buffer.from(text))] }
    case 'split': {
      const [separator] = itemsOf(second) ?? []
      const on = textAs(separator, types[1] === '[C' ? 'C' : '')
      return on === undefined || on === '' ? undefined : collection(listType, text.split(on), host.effort)
    }
    case 'chunked': {
      if (typeof second !== 'number' || second < 1) return undefined
      const count = Math.ceil(text.length / second)
      return collection(
        listType,
        Array.from({ length: count }, (_, at) => text.slice(at * second, (at + 1) * second)),
        host.effort,
      )
    }
    case 'format': {
      const items = itemsOf(second)
      return items === undefined ? undefined : formatted(text, items)
    }
    case 'toInt':
    case 'toIntOrNull': {
      const number = Number.parseInt(text, typeof second === 'number' ? second : 10)
      return Number.isNaN(number) ? undefined : number
    }
    default:
      return undefined
  }
}

function partBeside(text: string, other: string, name: string): string {
  const at = name.endsWith('Last') ? text.lastIndexOf(other) : text.indexOf(other)
  if (at === -1) return text
  return name.startsWith('substringAfter') ? text.slice(at + other.length) : text.slice(0, at)
}

function ofKotlinCollections(call: Call): Value {
  const { types, args, host } = call
  const isDefault = call.name.endsWith('$default')
  const name = call.name.replace(/\$default$/, '')
  const [first, second] = args
  if (/^(?:listOf|mutableListOf|arrayListOf|listOfNotNull|asList)$/.test(name))
    return collection(listType, types.length === 0 ? [] : variadic(call), host.effort)
  const items = itemsOf(first)
  if (name === 'collectionSizeOrDefault') return items?.length ?? second
  if (items === undefined) return undefined
  makeList(items.length, host.effort)
  switch (name) {
    case 'joinToString':
      return joinedToString(args, isDefault ? args.at(-2) : 0, host)
    case 'reversed':
    case 'asReversed':
      return collection(listType, [...items].reverse(), host.effort)
    case 'toList':
    case 'toMutableList':
    case 'plus':
      return collection(
        listType,
        [...items, ...(name === 'plus' ? (itemsOf(second) ?? [second]) : [])],
        host.effort,
      )
    case 'toByteArray':
      return { element: 'B', items: [...items] }
    case 'toCharArray':
      return { element: 'C', items: items.map((item) => unboxed(item)) }
    case 'toIntArray':
      return { element: 'I', items: [...items] }
    case 'reversedArray':
      return isArray(first) ? { element: first.element, items: [...items].reverse() } : undefined
    case 'first':
      return items[0]
    case 'last':
      return items.at(-1)
    default:
      return undefined
  }
}

function unboxed(value: Value): Value {
  return isInstance(value) && value.type === boxedCharacter ? value.items?.[0] : value
}

/** Reads `joinToString(separator, prefix, postfix, limit, truncated, transform)`, of which a mask leaves some out. */
function joinedToString(args: readonly Value[], mask: Value, host: Host): Value {
  if (typeof mask !== 'number') return undefined
  const [collected, separator, before, after, , , transform] = args
  const given = (value: Value, bit: number, otherwise: string) =>
    (mask & bit) === 0 ? textOf(value ?? undefined) : otherwise
  const isTransformed = (mask & 32) === 0 && transform !== null && transform !== undefined
  const items = itemsOf(collected) ?? []
  const element = isArray(collected) ? collected.element : ''
  const texts = items.map((item) =>
    isTransformed ? textOf(host.call(transform, 'invoke', [item])) : textAs(item, element),
  )
  const inner = separatorJoined(texts, given(separator, 1, ', '), host.effort)
  return joinTexts([given(before, 2, ''), inner, given(after, 4, '')], '', host.effort)
}

function separatorJoined(
  texts: readonly (string | undefined)[],
  separator: string | undefined,
  effort: Effort,
): string | undefined {
  return separator === undefined ? undefined : joinTexts(texts, separator, effort)
}

function joined(
  items: readonly Value[] | undefined,
  separator: string | undefined,
  effort: Effort,
): string | undefined {
  if (items === undefined) return undefined
  makeList(items.length, effort)
  return separatorJoined(items.map(textOf), separator, effort)
}

function ofMap({ name, args, host }: Call): Value {
  const [self, key, value] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.entries = new Map()
    return undefined
  }
  makeList(1, host.effort)
  if (name === 'put') self.entries?.set(key, value)
  if (name === 'get' || name === 'getOrDefault') return self.entries?.get(key)
  return name === 'values' && self.entries !== undefined
    ? collection(listType, [...self.entries.values()], host.effort)
    : undefined
}

function ofLazy({ name, args, host }: Call): Value {
  const [first] = args
  if (name === 'lazy') return collection('kotlin/Lazy', args, host.effort)
  return name === 'getValue' && isInstance(first) ? host.call(first.items?.[0], 'invoke', []) : undefined
}

/** Kotlin's `mapOf("a" to b)`. */
function ofTuples({ name, args, host }: Call): Value {
  if (name === 'to') return collection('kotlin/Pair', args, host.effort)
  if (!/^(?:mapOf|mutableMapOf|hashMapOf|linkedMapOf)$/.test(name)) return undefined
  const map = createInstance('java/util/HashMap')
  map.entries = new Map()
  const pairs = args.flatMap((arg) => (isArray(arg) ? arg.items : [arg]))
  for (const pair of pairs) {
    const [key, value] = itemsOf(pair) ?? []
    map.entries.set(key, value)
  }
  return map
}

function patternIn(value: Value): string | undefined {
  return typeof value === 'string' ? literalOfPattern(value) : undefined
}

function replaced(
  text: string,
  from: string | undefined,
  to: string | undefined,
  effort: Effort,
): string | undefined {
  if (from === undefined || to === undefined || from === '') return undefined
  const parts = text.split(from)
  makeText(text.length + parts.length * to.length, effort)
  return parts.join(to)
}

function repeated(text: string, count: Value, effort: Effort): string | undefined {
  if (typeof count !== 'number' || count < 0) return undefined
  makeText(text.length * count, effort)
  return text.repeat(count)
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('')
}

function codesOf(text: string, effort: Effort): number[] {
  makeList(text.length, effort)
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
}

function stringArray(items: string[], effort: Effort): Value {
  makeList(items.length, effort)
  return { element: 'Ljava/lang/String;', items }
}
