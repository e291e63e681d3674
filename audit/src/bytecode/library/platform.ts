import { makeList, makeText } from '../../script/evaluate/value.ts'
import { payForPattern } from '../../script/machine/library/patterns.ts'
import { decodedBytes, joinTexts, patternOf, replacedByPattern, textOf } from '../text.ts'
import { createInstance, type Instance, isArray, isInstance, type Value } from '../value.ts'
import { type Call, collection, itemsOf, listType } from './call.ts'
import { unboxed } from './numbers.ts'

export function ofSystem({ name, args, host }: Call): Value {
  // No property is set: the call returns its default.
  if (name === 'getProperty') return args[1]
  if (name !== 'arraycopy') return undefined
  const [source, from, target, at, count] = args
  if (!isArray(source) || !isArray(target)) return undefined
  if (typeof from !== 'number' || typeof at !== 'number' || typeof count !== 'number') return undefined
  makeList(Math.max(0, count), host.effort)
  const copied = source.items.slice(from, from + count)
  for (const [index, item] of copied.entries())
    if (at + index < target.items.length) target.items[at + index] = item
  return undefined
}

/** An array of a type that is known only at run time. */
export function ofReflectedArray({ name, args, host }: Call): Value {
  const [, size] = args
  if (name !== 'newInstance' || typeof size !== 'number' || size < 0) return undefined
  makeList(size, host.effort)
  return { element: 'Ljava/lang/Object;', items: new Array<Value>(size).fill(null) }
}

/** An object of an enum is known by the name that its constructor is given. */
export function ofEnum({ name, args }: Call): Value {
  const [self, text, ordinal] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.text = textOf(text)
    self.fields.set(ordinalField, ordinal)
    return undefined
  }
  if (name === 'name' || name === 'toString') return self.text
  return name === 'ordinal' ? self.fields.get(ordinalField) : undefined
}

const ordinalField = '$ordinal'

/** Fills a format such as `{0}_{1}`. */
export function ofMessageFormat({ name, args, host }: Call): Value {
  const [format, values] = args
  const items = itemsOf(values)
  if (name !== 'format' || typeof format !== 'string' || items === undefined) return undefined
  if (/'|\{\d+,/.test(format)) return undefined
  const parts = format.split(/\{(\d+)\}/)
  return joinTexts(
    parts.map((part, at) => (at % 2 === 0 ? part : textOf(items[Number(part)]))),
    '',
    host.effort,
  )
}

/** Reads percent signs as `URLDecoder` does, and as the `Uri` of Android does, which keeps a plus sign. */
export function ofUrls({ name, args, host }: Call): Value {
  const [first] = args
  if (name !== 'decode' || typeof first !== 'string') return undefined
  makeText(first.length, host.effort)
  const given = args.length > 1 ? first.replaceAll('+', ' ') : first
  try {
    return decodeURIComponent(given)
  } catch {
    return undefined
  }
}

/** Bytes that are written one after the other. */
export function ofBytesOut({ name, args, host }: Call): Value {
  const [self, first, from, count] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = []
    return undefined
  }
  const { items } = self
  if (items === undefined) return undefined
  makeList(items.length, host.effort)
  switch (name) {
    case 'write':
    case 'writeBytes': {
      const whole = isArray(first) ? first.items : undefined
      const isPart = typeof from === 'number' && typeof count === 'number'
      const added = isPart ? whole?.slice(from, from + count) : whole
      makeList(added?.length ?? 1, host.effort)
      if (typeof first === 'number') items.push(first)
      else self.items = added === undefined ? undefined : [...items, ...added]
      return undefined
    }
    case 'toByteArray':
      return { element: 'B', items: [...items] }
    case 'toString':
      return decodedBytes({ element: 'B', items })
    case 'size':
      return items.length
    default:
      return undefined
  }
}

const optionalType = 'java/util/Optional'

export function ofOptional({ name, args, host }: Call): Value {
  const [first, second] = args
  if (name === 'empty') return collection(optionalType, [null], host.effort)
  if (name === 'of' || name === 'ofNullable') return collection(optionalType, [first], host.effort)
  if (!isInstance(first) || first.type !== optionalType) return undefined
  const [content] = first.items ?? []
  switch (name) {
    case 'map':
      if (content === undefined || content === null) return first
      return collection(optionalType, [host.call(second, 'apply', [content])], host.effort)
    case 'get':
    case 'orElseThrow':
      return content
    // A value of the environment is not there.
    case 'orElse':
      return content ?? second
    case 'orElseGet':
      return content ?? host.call(second, 'get', [])
    case 'filter':
      return host.call(second, 'test', [content]) === 0
        ? collection(optionalType, [null], host.effort)
        : first
    case 'isPresent':
    case 'isEmpty':
      return content === undefined ? undefined : Number((content !== null) === (name === 'isPresent'))
    default:
      return undefined
  }
}

export function ofTokenizer({ name, args, host }: Call): Value {
  const [self, text, marks] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    const separators = marks === undefined ? ' \t\n\r\f' : textOf(marks)
    if (typeof text !== 'string' || separators === undefined) return undefined
    makeList(text.length, host.effort)
    const isMark = new Set(separators)
    self.items = ['']
    for (const character of text)
      if (isMark.has(character)) self.items.push('')
      else self.items.push(`${self.items.pop() as string}${character}`)
    self.items = self.items.filter((item) => item !== '')
    return undefined
  }
  if (name === 'nextToken') return self.items?.shift()
  if (name === 'countTokens') return self.items?.length
  return name.startsWith('hasMore') ? Number((self.items?.length ?? 0) > 0) : undefined
}

/** `Pattern`, `Matcher` and Kotlin's `Regex`, by the text of the pattern and the text that is searched. */
export function ofPatterns({ name, types, args, host }: Call): Value {
  const [first, second, third] = args
  if (name === 'compile' || name === 'toRegex') {
    const pattern = createInstance('java/util/regex/Pattern')
    pattern.text = types.length === 1 ? textOf(first) : undefined
    return pattern
  }
  if (!isInstance(first)) return undefined
  if (first.type === matchType) return ofMatch(name, first, host)
  if (name === '<init>') {
    first.text = types.length === 1 ? textOf(second) : undefined
    return undefined
  }
  if (name === 'group') return first.entries?.get(second ?? 0)
  if (name === 'matcher') {
    const matcher = createInstance('java/util/regex/Matcher')
    matcher.text = first.text
    matcher.items = [textOf(second ?? undefined)]
    return matcher
  }
  const [searched, by] = first.type.endsWith('Matcher') ? [first.items?.[0], second] : [textOf(second), third]
  const text = textOf(searched)
  const pattern = first.text === undefined ? undefined : patternOf(first.text)
  if (text === undefined || pattern === undefined) return undefined
  switch (name) {
    case 'find':
    case 'matches':
    case 'lookingAt':
    case 'matchEntire':
      return matchOf(first, { text, pattern, name }, host)
    case 'replace':
    case 'replaceAll':
      return replacedByPattern(text, pattern, textOf(by), host.effort)
    case 'split': {
      const parts = typeof pattern === 'string' ? text.split(pattern) : undefined
      return parts === undefined ? undefined : collection(listType, parts, host.effort)
    }
    default:
      return undefined
  }
}

const matchType = 'kotlin/text/MatchResult'
const searchedTo = '$to'

interface Sought {
  readonly text: string
  readonly pattern: string | RegExp
  readonly name: string
}

/** Looks for the next place that a pattern matches. A matcher keeps its groups; Kotlin's `Regex` gives them. */
function matchOf(self: Instance, { text, pattern, name }: Sought, { effort }: Call['host']): Value {
  const source = typeof pattern === 'string' ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern.source
  const isWhole = name === 'matches' || name === 'matchEntire'
  const sought = new RegExp(
    isWhole ? `^(?:${source})$` : name === 'lookingAt' ? `^(?:${source})` : source,
    'g',
  )
  if (!payForPattern(sought, text, effort)) return undefined
  const from = self.fields.get(searchedTo)
  const isMatcher = self.type.endsWith('Matcher')
  sought.lastIndex = isMatcher && name === 'find' && typeof from === 'number' ? from : 0
  const found = sought.exec(text)
  if (!isMatcher)
    return found === null
      ? null
      : collection(
          matchType,
          found.map((group) => group ?? ''),
          effort,
        )
  self.fields.set(searchedTo, found === null ? 0 : found.index + Math.max(1, found[0].length))
  self.entries = new Map<Value, Value>(found?.map((group, at) => [at, group ?? null] as const))
  for (const [group, value] of Object.entries(found?.groups ?? {})) self.entries.set(group, value)
  return Number(found !== null)
}

function ofMatch(name: string, { items }: Instance, { effort }: Call['host']): Value {
  if (name === 'getValue') return items?.[0]
  if (name === 'getGroupValues') return collection(listType, items ?? [], effort)
  return name === 'getDestructured' || name === 'getMatch'
    ? collection(matchType, items ?? [], effort)
    : undefined
}

/** Numbers that count up, for streams. */
export function rangeOf(from: Value, to: Value, isClosed: boolean, host: Call['host']): Value[] | undefined {
  if (typeof from !== 'number' || typeof to !== 'number') return undefined
  const count = Math.max(0, to - from + Number(isClosed))
  makeList(count, host.effort)
  return Array.from({ length: count }, (_, at) => from + at)
}

/** An object of an enum is in the order of its class. */
function orderOf(value: Value): Value {
  return (isInstance(value) ? value.fields.get(ordinalField) : undefined) ?? unboxed(value)
}

/** Compares two items as their natural order does. */
export function inOrder(one: Value, other: Value): number {
  const [first, second] = [orderOf(one), orderOf(other)]
  if (typeof first === 'number' && typeof second === 'number') return first - second
  const [left, right] = [textOf(first) ?? '', textOf(second) ?? '']
  return left < right ? -1 : Number(left > right)
}
