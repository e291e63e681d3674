import type { Effort } from '../model/effort.ts'
import { makeText } from '../script/evaluate/value.ts'
import { payForPattern } from '../script/machine/library/patterns.ts'
import { isArray, isInstance, isWide, type Value } from './value.ts'

/** Gives the text that Java makes of a value of a type; `undefined` where it is not known. */
export function textAs(value: Value, type: string): string | undefined {
  if (type === 'C') return typeof value === 'number' ? String.fromCharCode(value & 0xffff) : undefined
  if (type === 'Z') return typeof value === 'number' ? String(value !== 0) : undefined
  if (type === '[C') return charactersOf(value)
  return textOf(value)
}

export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (value === null) return 'null'
  if (isWide(value)) return value.wide?.toString()
  if (!isInstance(value)) return undefined
  const [boxed] = value.items ?? []
  if (value.type === boxedCharacter && typeof boxed === 'number') return String.fromCharCode(boxed)
  return value.text
}

export const boxedCharacter = 'java/lang/Character'

/** Joins the texts of values; `undefined` where one of them is not known. @throws OverEffort */
export function joinTexts(
  parts: readonly (string | undefined)[],
  separator: string,
  effort: Effort,
): string | undefined {
  let length = separator.length * parts.length
  for (const part of parts) {
    if (part === undefined) return undefined
    length += part.length
  }
  makeText(length, effort)
  return parts.join(separator)
}

/** Reads an array of characters or of code points. */
export function charactersOf(value: Value, from = 0, to?: number): string | undefined {
  const codes = numbersOf(value, from, to)
  return codes === undefined ? undefined : codes.map((code) => String.fromCharCode(code & 0xffff)).join('')
}

/** Takes some characters off the ends of a text, or off one of them. */
export function trimmedBy(text: string, characters: string | undefined, name: string): string | undefined {
  if (characters === undefined) return undefined
  let [from, to] = [0, text.length]
  while (!name.endsWith('End') && from < to && characters.includes(text[from] ?? '')) from += 1
  while (!name.endsWith('Start') && to > from && characters.includes(text[to - 1] ?? '')) to -= 1
  return text.slice(from, to)
}

/** Reads an array of bytes, as UTF-8. */
export function decodedBytes(value: Value, from = 0, to?: number): string | undefined {
  const bytes = numbersOf(value, from, to)
  return bytes === undefined ? undefined : Buffer.from(bytes.map((byte) => byte & 0xff)).toString('utf8')
}

function numbersOf(value: Value, from: number, to: number | undefined): number[] | undefined {
  if (!isArray(value)) return undefined
  const items = value.items.slice(from, to)
  return items.every((item) => typeof item === 'number') ? items : undefined
}

const special = /[.*+?^${}()|[\]\\]/

/** Reads a regular expression that is a literal text; `undefined` for any other. */
function literalOfPattern(pattern: string): string | undefined {
  const quoted = /^\\Q(.*)\\E$/s.exec(pattern)?.[1]
  if (quoted !== undefined) return quoted
  const single = /^\[(.)\]$/s.exec(pattern)?.[1]
  if (single !== undefined) return single
  const plain = pattern.replace(/\\([^A-Za-z0-9])/g, '')
  return special.test(plain) ? undefined : pattern.replace(/\\([^A-Za-z0-9])/g, '$1')
}

const longestPattern = 200

/** Reads a regular expression: as a text where it is a literal one, `undefined` where Java means more by it than JavaScript. */
export function patternOf(pattern: string): string | RegExp | undefined {
  const literal = literalOfPattern(pattern)
  if (literal !== undefined) return literal
  if (pattern.length > longestPattern || /\\[pPQEGzZhHvVXRK]|&&|\[[^\]]*\[|[*+?}]\+|\(\?/.test(pattern))
    return undefined
  try {
    return new RegExp(pattern, 'g')
  } catch {
    return undefined
  }
}

/** Replaces each place that a pattern matches. @throws OverEffort */
export function replacedByPattern(
  text: string,
  pattern: string | RegExp | undefined,
  by: string | undefined,
  effort: Effort,
  isOnce = false,
): string | undefined {
  if (pattern === undefined || pattern === '' || by === undefined) return undefined
  if (pattern instanceof RegExp && !payForPattern(pattern, text, effort)) return undefined
  // Groups of the match and quoted characters are written otherwise than in JavaScript.
  if (pattern instanceof RegExp && /[\\$]/.test(by)) return undefined
  makeText((text.length + 1) * (by.length + 1), effort)
  const wanted = isOnce && pattern instanceof RegExp ? new RegExp(pattern.source) : pattern
  return isOnce ? text.replace(wanted, () => by) : text.replaceAll(wanted, () => by)
}

const directive = /%(?:(\d+)\$)?(0?)(\d{0,2})([sSdcxXn%])/g

/** Fills a format of `String.format`; `undefined` where a directive or an argument is not known. */
export function formatted(format: string, args: readonly Value[]): string | undefined {
  let next = 0
  let isKnown = !/%(?!(?:\d+\$)?0?\d{0,2}[sSdcxXn%])/.test(format)
  const text = format.replace(directive, (_, index: string | undefined, zero, width, kind: string) => {
    if (kind === '%') return '%'
    if (kind === 'n') return '\n'
    const value = args[index === undefined ? next++ : Number(index) - 1]
    const written = writtenAs(value, kind)
    if (written === undefined) isKnown = false
    return (written ?? '').padStart(Number(width), zero === '0' ? '0' : ' ')
  })
  return isKnown ? text : undefined
}

function writtenAs(value: Value, kind: string): string | undefined {
  if (kind === 'c' && typeof value === 'number') return String.fromCharCode(value)
  if (kind === 'x' || kind === 'X') {
    const hex = typeof value === 'number' ? (value >>> 0).toString(16) : undefined
    return kind === 'X' ? hex?.toUpperCase() : hex
  }
  const text = textOf(value)
  return kind === 'S' ? text?.toUpperCase() : text
}
