import type { ScanContext } from './scan-context.ts'

/** Tells whether an escape of one of the prefix's characters is at an offset. */
export type IsEscape = (bytes: Uint8Array, offset: number) => boolean

/** Percent, `\x`, `\u`, octal and entity escapes, in any case. What follows the character is for others to read. */
export function escapeOf(prefix: string): IsEscape {
  const codes = new Set([...prefix].map((char) => char.charCodeAt(0)))
  const begins = (bytes: Uint8Array, at: number, base: number) => {
    let code = 0
    for (let digit = at; digit < at + mostDigits; digit++) {
      code = code * base + digitOf(bytes[digit], base)
      if (codes.has(code)) return true
    }
    return false
  }
  return (bytes, at) => {
    if (bytes[at] === percent) return begins(bytes, at + 1, 16)
    const kind = lower(bytes[at + 1])
    if (bytes[at] === ampersand) {
      const isHex = lower(bytes[at + 2]) === x
      return (
        bytes[at + 1] === hash && begins(bytes, behindZeros(bytes, at + (isHex ? 3 : 2)), isHex ? 16 : 10)
      )
    }
    if (bytes[at] !== backslash) return false
    if (kind === x) return begins(bytes, at + 2, 16)
    if (kind !== u) return begins(bytes, at + 1, 8)
    if (bytes[at + 2] === brace) return begins(bytes, behindZeros(bytes, at + 3), 16)
    return bytes[at + 2] === zero && bytes[at + 3] === zero && begins(bytes, at + 4, 16)
  }
}

/** Most digits of an escaped character of the prefix, in octal or decimal. */
const mostDigits = 3

const percent = 0x25
const ampersand = 0x26
const backslash = 0x5c
const hash = 0x23
const brace = 0x7b
const zero = 0x30
const x = 0x78
const u = 0x75

function lower(byte = 0): number {
  return byte | 0x20
}

function digitOf(byte = 0, base: number): number {
  const value = byte <= 0x39 ? byte - zero : lower(byte) - 0x57
  return value >= 0 && value < base ? value : Number.NaN
}

function behindZeros(bytes: Uint8Array, at: number): number {
  let end = at
  while (bytes[end] === zero) end++
  return end
}

/** In characters: longer than the prefix is when all of it is escaped. */
const before = 320
/** How far from an escape its surroundings reach, in characters: others that are nearer need not be named. */
const stretch = 8192

/** Collects escapes of characters of the prefix, in ascending order. */
export function createEscapes() {
  const all: number[] = []
  return {
    all,
    add(offset: number) {
      if (offset >= (all.at(-1) ?? Number.NEGATIVE_INFINITY) + stretch) all.push(offset)
    },
  }
}

/** Finds the prefix in mixtures of plain and escaped characters. Only around escapes it has to be looked for. */
export function* escapedPrefixes(
  { prefix, escaped }: Pick<ScanContext, 'prefix' | 'escaped'>,
  bytes: Buffer,
  escapes: readonly number[],
): Generator<{ readonly offset: number; readonly length: number }> {
  let done = 0
  for (const offset of escapes) {
    const from = Math.max(done, offset - before)
    done = offset + stretch
    const text = bytes.toString('latin1', from, done + before)
    for (const { 0: match, index } of text.matchAll(escaped)) {
      const start = from + index
      if (match !== prefix && start < done && /[\\%&]/.test(match))
        yield { offset: start, length: match.length }
    }
  }
}
