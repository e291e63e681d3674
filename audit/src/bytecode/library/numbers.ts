import { makeList } from '../../script/evaluate/value.ts'
import { boxedCharacter, decodedBytes, textOf } from '../text.ts'
import { createInstance, isArray, isInstance, isWide, type Value } from '../value.ts'
import type { Call } from './call.ts'

export function ofCharacter({ name, args }: Call): Value {
  const [first, second] = args
  const code = isInstance(first) ? first.items?.[0] : first
  if (typeof code !== 'number') return undefined
  switch (name) {
    case 'valueOf':
      return boxedCode(code)
    case 'charValue':
      return code
    case 'toString':
      return String.fromCharCode(code)
    case 'isDigit':
    case 'isLetter':
    case 'isLetterOrDigit':
    case 'isUpperCase':
    case 'isLowerCase':
    case 'isWhitespace':
      return Number(kinds[name].test(String.fromCharCode(code)))
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

const kinds = {
  isDigit: /\d/,
  isLetter: /\p{L}/u,
  isLetterOrDigit: /[\p{L}\d]/u,
  isUpperCase: /\p{Lu}/u,
  isLowerCase: /\p{Ll}/u,
  isWhitespace: /\s/,
} as const

export function boxedCode(code: number): Value {
  const box = createInstance(boxedCharacter)
  box.items = [code]
  return box
}

/** A boxed number is the number itself. */
export function ofNumber({ name, args, descriptor }: Call): Value {
  const [first, second] = args
  if (name.startsWith('parse') || (name === 'valueOf' && typeof first === 'string')) {
    if (typeof first !== 'string') return undefined
    const number = Number.parseInt(first, typeof second === 'number' ? second : 10)
    if (Number.isNaN(number)) return undefined
    return descriptor.endsWith(')J') ? { wide: BigInt(number) } : number
  }
  if (name === 'toHexString') return typeof first === 'number' ? (first >>> 0).toString(16) : undefined
  if (name === 'toString' && typeof second === 'number') return inRadix(first, second)
  if (name === 'toString') return textOf(first)
  if (name === 'sum' || name === 'compare') {
    if (typeof first !== 'number' || typeof second !== 'number') return undefined
    return name === 'sum' ? (first + second) | 0 : Math.sign(first - second)
  }
  if (name === 'valueOf' || name.endsWith('Value')) {
    if (name === 'longValue') return { wide: typeof first === 'number' ? BigInt(first) : undefined }
    if (name === 'byteValue' && typeof first === 'number') return (first << 24) >> 24
    return typeof first === 'number' || isWide(first) ? first : undefined
  }
  return undefined
}

function inRadix(number: Value, radix: number): string | undefined {
  if (radix < 2 || radix > 36) return undefined
  return isWide(number)
    ? number.wide?.toString(radix)
    : typeof number === 'number'
      ? number.toString(radix)
      : undefined
}

export function ofMath({ name, args }: Call): Value {
  const [first, second] = args
  if (typeof first !== 'number') return undefined
  if (name === 'abs') return Math.abs(first)
  if (typeof second !== 'number') return undefined
  return name === 'min' ? Math.min(first, second) : name === 'max' ? Math.max(first, second) : undefined
}

export function ofObject({ name, args }: Call): Value {
  if (name === 'toString') return textOf(args[0] ?? undefined)
  // An array is cloned as an object.
  if (name === 'clone' && isArray(args[0])) return { element: args[0].element, items: [...args[0].items] }
  return undefined
}

export function ofObjects({ name, args }: Call): Value {
  if (name === 'requireNonNull') return args[0]
  if (name === 'requireNonNullElse') return args[0] ?? args[1]
  return name === 'toString' ? textOf(args[0]) : undefined
}

export function unboxed(value: Value): Value {
  return isInstance(value) && value.type === boxedCharacter ? value.items?.[0] : value
}

const decoderType = 'java/util/Base64$Decoder'

export function ofBase64({ name, args, descriptor, host }: Call): Value {
  if (/^get(?:Url|Mime)?Decoder$/.test(name)) return createInstance(decoderType)
  if (!/^decode(?:\$default)?$/.test(name) || !descriptor.endsWith(')[B')) return undefined
  const [first, second] = args
  // Kotlin's decoders are fields of a class that is not read.
  const given =
    name !== 'decode' || (isInstance(first) && first.type === decoderType) ? second : (first ?? second)
  const text = isArray(given) ? decodedBytes(given) : textOf(given)
  if (text === undefined) return undefined
  makeList(text.length, host.effort)
  return { element: 'B', items: [...new Int8Array(Buffer.from(text, 'base64'))] }
}
