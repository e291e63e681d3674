import { makeList } from '../../script/evaluate/value.ts'
import { decodedBytes, textAs, textOf } from '../text.ts'
import { createInstance, type Instance, isArray, isInstance, isWide, type Value } from '../value.ts'
import type { Call } from './call.ts'

const [position, isLittle] = ['$position', '$isLittle']
const bytesOfNumbers: Readonly<Record<string, number>> = { putShort: 2, putInt: 4, putLong: 8 }

/** Bytes and characters that are put one after the other, and then read from the beginning. */
export function ofBuffer(call: Call): Value {
  const { name, args, host } = call
  const [first, second, third] = args
  if (name === 'allocate' || name === 'allocateDirect') {
    if (typeof first !== 'number' || first < 0) return undefined
    makeList(first, host.effort)
    return bufferOf(new Array<Value>(first).fill(0))
  }
  if (name === 'wrap') {
    if (!isArray(first)) return textBuffer(textOf(first))
    const end = typeof second === 'number' && typeof third === 'number' ? second + third : undefined
    return bufferOf(first.items.slice(typeof second === 'number' ? second : 0, end))
  }
  if (!isInstance(first)) return undefined
  if (name === 'toString') return first.text
  const items = first.items
  const at = first.fields.get(position)
  if (items === undefined || typeof at !== 'number') return undefined
  makeList(1, host.effort)
  switch (name) {
    case 'put':
    case 'putShort':
    case 'putInt':
    case 'putLong':
      put(first, items, at, call)
      return first
    case 'order':
      // The other order is that without a call.
      first.fields.set(isLittle, 1)
      return first
    case 'flip':
      items.length = Math.min(items.length, at)
      first.fields.set(position, 0)
      return first
    case 'rewind':
    case 'clear':
      first.fields.set(position, 0)
      return first
    case 'array':
      return { element: 'B', items: [...items] }
    case 'remaining':
    case 'limit':
    case 'capacity':
      return items.length - (name === 'remaining' ? at : 0)
    case 'hasRemaining':
      return Number(at < items.length)
    case 'get': {
      const into = isArray(second) ? second.items : null
      const count = into?.length ?? 1
      makeList(count, host.effort)
      const read = items.slice(at, at + count)
      first.fields.set(position, at + count)
      if (into === null) return read[0]
      into.splice(0, read.length, ...read)
      return first
    }
    default:
      return undefined
  }
}

function bufferOf(items: Value[]): Instance {
  const made = createInstance('java/nio/ByteBuffer')
  made.items = items
  made.fields.set(position, 0)
  return made
}

function textBuffer(text: string | undefined): Instance {
  const made = createInstance('java/nio/CharBuffer')
  made.text = text
  return made
}

function put(self: Instance, items: Value[], at: number, { name, types, args, host }: Call): void {
  const [, first, second, third] = args
  if (types.length === 2 && typeof first === 'number') {
    if (name === 'put' && first < items.length) items[first] = second
    return
  }
  const isPart = typeof second === 'number' && typeof third === 'number'
  const whole = isArray(first) || isInstance(first) ? (first.items ?? []) : [first]
  const given = isPart ? whole.slice(second, second + third) : whole
  const size = bytesOfNumbers[name]
  const written = size === undefined ? given : bytesOf(first, size, self.fields.get(isLittle) === 1)
  makeList(written.length, host.effort)
  for (const [index, item] of written.entries()) if (at + index < items.length) items[at + index] = item
  self.fields.set(position, at + written.length)
}

function bytesOf(number: Value, size: number, isReversed: boolean): Value[] {
  const value = typeof number === 'number' ? BigInt(number) : isWide(number) ? number.wide : undefined
  const bytes = Array.from({ length: size }, (_, at) =>
    value === undefined ? undefined : Number(BigInt.asIntN(8, value >> BigInt(8 * (size - 1 - at)))),
  )
  return isReversed ? bytes.reverse() : bytes
}

/** A character set is not known: nearly all of them are the same for the characters of a key. */
export function ofCharset({ name, args }: Call): Value {
  if (name !== 'decode') return undefined
  const [, buffer] = args
  if (!isInstance(buffer) || buffer.items === undefined) return undefined
  const at = buffer.fields.get(position)
  return textBuffer(decodedBytes({ element: 'B', items: buffer.items }, typeof at === 'number' ? at : 0))
}

const separator = '$separator'

/** Readers of a text, whose rest they keep. */
export function ofReader({ name, types, args, host }: Call): Value {
  const [self, source] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    const [type = ''] = types
    self.text = isInstance(source)
      ? source.text
      : isArray(source)
        ? decodedBytes(source)
        : textAs(source, type)
    return undefined
  }
  const { text } = self
  if (text === undefined) return undefined
  makeList(1 + text.length / 64, host.effort)
  const take = (pattern: RegExp) => {
    const [whole = '', taken = ''] = pattern.exec(text) ?? []
    self.text = text.slice(whole.length)
    return taken
  }
  const by = self.fields.get(separator)
  switch (name) {
    case 'readLine':
      return text === '' ? null : take(/^(.*)(?:\r\n|[\r\n]|$)/)
    case 'nextLine':
      return take(/^(.*)(?:\r\n|[\r\n]|$)/)
    case 'hasNextLine':
    case 'ready':
      return Number(text !== '')
    case 'read':
      if (types.length > 0) return undefined
      self.text = text.slice(1)
      return text === '' ? -1 : text.charCodeAt(0)
    case 'useDelimiter':
      self.fields.set(separator, textOf(source))
      return self
    case 'hasNext':
      return Number((typeof by === 'string' ? text : text.trim()) !== '')
    case 'next': {
      if (typeof by !== 'string') return take(/^\s*(\S*)/)
      const literal = /^[^.*+?^${}()|[\]\\]+$/.test(by)
        ? by
        : /^\\[^A-Za-z0-9]$/.test(by)
          ? by.slice(1)
          : undefined
      if (literal === undefined) return undefined
      const [token = '', ...others] = text.split(literal)
      self.text = others.join(literal)
      return token
    }
    case 'readAllBytes':
      self.text = ''
      return { element: 'B', items: [...new Int8Array(Buffer.from(text))] }
    default:
      return undefined
  }
}

/** Reads what a file of properties has, a line each. */
export function propertiesIn(text: string): [string, string][] {
  return text.split(/[\r\n]+/).flatMap((line): [string, string][] => {
    const setting = line.trim()
    const end = setting.search(/[\s=:]/)
    if (end < 1 || setting.startsWith('#') || setting.startsWith('!')) return []
    const value = setting.slice(end).trimStart().replace(/^[=:]/, '').trimStart()
    return [[setting.slice(0, end), value]]
  })
}
