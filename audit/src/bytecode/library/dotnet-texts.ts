import { makeList, makeText } from '../../script/evaluate/value.ts'
import {
  charactersOf,
  decodedBytes,
  joinTexts,
  patternOf,
  replacedByPattern,
  textAs,
  textOf,
  trimmedBy,
} from '../text.ts'
import { createInstance, isArray, isInstance, type Value } from '../value.ts'
import { type Call, type Host, itemsOf, joined } from './call.ts'
import { character, textsOf } from './dotnet-collections.ts'
import { ofUrls } from './platform.ts'
import { codesOf, ofBuilder, ofString, repeated, replaced } from './strings.ts'

const stringArray = 'Ljava/lang/String;'
const blanks = ' \t\r\n\v\f\u00a0'

export function ofText(call: Call): Value {
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
    case 'TrimStart':
    case 'TrimEnd': {
      const listed = charactersOf(second)
      return trimmedBy(text, types.length === 0 || listed === '' ? blanks : (listed ?? other), name)
    }
    case 'PadLeft':
    case 'PadRight':
      return padded(name, text, second, textAs(third, character) ?? ' ', host)
    case 'CopyTo':
      ofString({ ...call, name: 'getChars', args: rangeOfCopy(args) })
      return undefined
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

/** Copies are told by their length, where Java has an end. */
function rangeOfCopy([text, from, target, at, count]: readonly Value[]): Value[] {
  const end = typeof from === 'number' && typeof count === 'number' ? from + count : undefined
  return [text, from, end, target, at]
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
      return args.length === 1 ? joined(textsOf(first, host), '', effort) : joined(args, '', effort)
    case 'Join': {
      const separator = textAs(first, types[0] ?? '')
      const all = args.length === 4 && typeof third === 'number' && typeof fourth === 'number'
      const items = textsOf(second, host)
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

export function writtenAs(value: Value, how: string): string | undefined {
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

export function ofTextBuilder(call: Call): Value {
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
          [text, joined(textsOf(second, host), textAs(first, types[0] ?? ''), host.effort)],
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

export function ofEncoding({ name, args, host }: Call): Value {
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

export function ofConvert({ name, types, args, host }: Call): Value {
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

export function ofRegex({ name, args, host }: Call): Value {
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

export function ofUrl(call: Call): Value {
  return urlMethods.has(call.name) ? ofUrls({ ...call, name: 'decode' }) : undefined
}

export function ofCharacterType({ name, args }: Call): Value {
  const [first] = args
  if (name === 'ToString') return textAs(first, character)
  if (typeof first !== 'number') return undefined
  const text = String.fromCharCode(first)
  if (name.startsWith('ToUpper')) return text.toUpperCase().charCodeAt(0)
  return name.startsWith('ToLower') ? text.toLowerCase().charCodeAt(0) : undefined
}

/** Interpolated texts of newer compilers: what is appended is the text of a value that is made in place. */
export function ofInterpolated({ name, types, args, host }: Call): Value {
  const [self, first] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') self.text = ''
  else if (name.startsWith('Append'))
    self.text = joinTexts([self.text, textAs(first, types[0] ?? '')], '', host.effort)
  else if (name.startsWith('ToString')) return self.text
  return undefined
}
