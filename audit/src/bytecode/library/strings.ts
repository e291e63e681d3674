import type { Effort } from '../../model/effort.ts'
import { makeList, makeText } from '../../script/evaluate/value.ts'
import {
  charactersOf,
  decodedBytes,
  formatted,
  joinTexts,
  patternOf,
  replacedByPattern,
  textAs,
  textOf,
} from '../text.ts'
import { isArray, isInstance, type Value } from '../value.ts'
import { type Call, collection, itemsOf, joined } from './call.ts'

export function ofString(call: Call): Value {
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
    case 'hashCode':
      return hashOf(text)
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
    case 'replaceFirst':
      return replacedByPattern(text, patternIn(second), textOf(third), host.effort, name === 'replaceFirst')
    case 'split': {
      const separator = patternIn(second)
      return typeof separator === 'string' ? stringArray(text.split(separator), host.effort) : undefined
    }
    case 'formatted': {
      const items = itemsOf(second)
      return items === undefined ? undefined : formatted(text, items)
    }
    case 'lines':
      return collection('java/util/stream/Stream', text.replace(/\n$/, '').split('\n'), host.effort)
    case 'chars':
      return collection('java/util/stream/IntStream', codesOf(text, host.effort), host.effort)
    case 'getChars': {
      const [, from, to, target, at] = args
      if (typeof from !== 'number' || typeof to !== 'number' || typeof at !== 'number') return undefined
      if (isArray(target))
        for (const [index, code] of codesOf(text.slice(from, to), host.effort).entries())
          if (at + index < target.items.length) target.items[at + index] = code
      return undefined
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
    case 'lastIndexOf': {
      const sought = textAs(second, types[0] === 'I' ? 'C' : '')
      if (sought === undefined || (args.length > 2 && typeof third !== 'number')) return undefined
      return text[name](sought, typeof third === 'number' ? third : undefined)
    }
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
      // A part of an array has a place and a count.
      return types.length === 3 ? partOfCharacters(args) : textAs(first, types[0] ?? '')
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

function partOfCharacters([characters, from, count]: readonly Value[]): string | undefined {
  if (typeof from !== 'number' || typeof count !== 'number') return undefined
  return charactersOf(characters, from, from + count)
}

export function ofBuilder(call: Call): Value {
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
  // The third argument is a count for an array, and an end for a sequence.
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

export function ofTextUtils({ name, args, host }: Call): Value {
  const [first, second] = args
  if (name === 'join') return joined(itemsOf(second), textOf(first), host.effort)
  if (name === 'concat') return joined(itemsOf(first), '', host.effort)
  return name === 'isEmpty' && typeof first === 'string' ? Number(first === '') : undefined
}

function patternIn(value: Value): string | RegExp | undefined {
  return typeof value === 'string' ? patternOf(value) : undefined
}

export function replaced(
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

/** Gives the number by which compilers tell texts apart in a switch. */
function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}

export function repeated(text: string, count: Value, effort: Effort): string | undefined {
  if (typeof count !== 'number' || count < 0) return undefined
  makeText(text.length * count, effort)
  return text.repeat(count)
}

export function reversed(text: string): string {
  return Array.from(text).reverse().join('')
}

export function codesOf(text: string, effort: Effort): number[] {
  makeList(text.length, effort)
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
}

function stringArray(items: string[], effort: Effort): Value {
  makeList(items.length, effort)
  return { element: 'Ljava/lang/String;', items }
}
