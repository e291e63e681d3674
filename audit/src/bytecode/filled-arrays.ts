import { bytesOf, type Unwrapped } from '../scan/wrapped-values.ts'
import { areListedCodes } from '../script/clues/masked-codes.ts'
import type { ClassFile } from './class-file.ts'

const leastElements = 16
const mostElements = 200_000
const duplicate = 0x59
/** `iastore`, `bastore`, `castore`, `sastore` */
const stores = new Set([0x4f, 0x54, 0x55, 0x56])

/** Arrays that the code of a class fills with numbers, one after the other: `dup`, the index, the number, the store. */
export function* filledArrays({ bytes, methods, constant }: ClassFile): Generator<Unwrapped & Filled> {
  for (const { start, end } of methods)
    for (let at = start; at < end; at++) {
      if (bytes[at] !== duplicate) continue
      const numbers: number[] = []
      const from = at
      for (let next: Element | null = elementAt(bytes, at, end, constant); next !== null; ) {
        if (next.index !== numbers.length || numbers.length >= mostElements) break
        numbers.push(next.value)
        at = next.end
        next = elementAt(bytes, at, end, constant)
      }
      if (numbers.length > 0) at -= 1
      const value = numbers.length < leastElements ? null : bytesOf(numbers)
      if (value !== null) yield { bytes: value, start: from, end: at + 1, encoding: 'numbers', numbers }
    }
}

interface Filled {
  readonly numbers: readonly number[]
}

interface Element {
  readonly index: number
  readonly value: number
  readonly end: number
}

function elementAt(bytes: Buffer, at: number, end: number, constant: ClassFile['constant']): Element | null {
  if (bytes[at] !== duplicate) return null
  const index = numberAt(bytes, at + 1, constant)
  const value = index === null ? null : numberAt(bytes, index.end, constant)
  if (index === null || value === null || value.end >= end || !stores.has(bytes[value.end] ?? 0)) return null
  return { index: index.value, value: value.value, end: value.end + 1 }
}

/** Reads an instruction that pushes a number. */
function numberAt(
  bytes: Buffer,
  at: number,
  constant: ClassFile['constant'],
): { readonly value: number; readonly end: number } | null {
  if (at + 3 > bytes.length) return null
  const opcode = bytes[at] ?? 0
  if (opcode >= 2 && opcode <= 8) return { value: opcode - 3, end: at + 1 }
  if (opcode === 0x10) return { value: bytes.readInt8(at + 1), end: at + 2 }
  if (opcode === 0x11) return { value: bytes.readInt16BE(at + 1), end: at + 3 }
  const number =
    opcode === 0x12
      ? constant(bytes.readUInt8(at + 1))
      : opcode === 0x13
        ? constant(bytes.readUInt16BE(at + 1))
        : null
  return typeof number === 'number' ? { value: number, end: at + (opcode === 0x12 ? 2 : 3) } : null
}

/**
 * Says whether an array may be the masked codes of a key. Tables of small numbers, permutations, and texts with blanks are
 * in many programs, and are none.
 */
export function mayBeCodes(numbers: readonly number[]): boolean {
  const codes = numbers.map((number) => number & 0xff)
  return (
    areListedCodes(codes) &&
    new Set(codes).size < codes.length &&
    Math.max(...codes) >= leastCode &&
    !(codes.includes(0x20) && codes.every(isOfText))
  )
}

const leastCode = 24

function isOfText(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || (code >= 9 && code <= 13)
}
