import { align, type Layout } from './tables.ts'
import { absent } from './values.ts'

/** A value that an array or an object begins with: a constant, or the number of a string. */
export type Literal = number | boolean | null | typeof absent | { readonly string: number }

/** Tags of runs of literals. */
const [yes, no, number, longString, shortString, byteString, integer] = [1, 2, 3, 4, 5, 6, 7]
const mostLiterals = 4096

/** Where the literals are: those of arrays, the keys of objects, and their values. */
export interface Literals {
  readonly arrays: Range
  readonly keys: Range
  readonly values: Range
  /** From version 98 on, the keys of objects are in a table of their shapes: a place among the keys, and how many. */
  readonly shapes: Range | null
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Finds the literals, behind the strings. Versions before 87 have no table of large integers. */
export function literalsAt(bytes: Buffer, { version, storageEnd }: Layout): Literals {
  const sizes = version < 87 ? 72 : 80
  let at = storageEnd
  const next = (size: number): Range => {
    const start = align(at)
    at = start + size
    return { start, end: Math.min(bytes.length, at) }
  }
  const [first, second, third] = [0, 4, 8].map((place) => bytes.readUInt32LE(sizes + place)) as [
    number,
    number,
    number,
  ]
  if (version < 98) return { arrays: next(first), keys: next(second), values: next(third), shapes: null }
  const values = next(first)
  return { arrays: values, keys: next(second), values, shapes: next(third * shapeSize) }
}

export const shapeSize = 8

/** So many literals from a place on, in runs of one kind each; fewer where they do not parse. */
export function readLiterals(
  bytes: Buffer,
  { start, end }: Range,
  offset: number,
  count: number,
  version: number,
): Literal[] {
  const literals: Literal[] = []
  const wanted = Math.min(count, mostLiterals)
  let at = start + offset
  while (literals.length < wanted && at < end) {
    const tag = bytes.readUInt8(at)
    const isLong = tag >= 0x80
    if (isLong && at + 2 > end) break
    const length = isLong ? (tag & 15) * 256 + bytes.readUInt8(at + 1) : tag & 15
    at += isLong ? 2 : 1
    const kind = (tag >> 4) & 7
    const isUndefined = kind === byteString && version >= 98
    const size = isUndefined ? 0 : (sizes[kind] ?? 0)
    for (let index = 0; index < length && literals.length < wanted; index++, at += size) {
      if (at + size > end) return literals
      literals.push(isUndefined ? absent : literalAt(bytes, at, kind))
    }
  }
  return literals
}

const sizes: readonly number[] = [0, 0, 0, 8, 4, 2, 1, 4]

function literalAt(bytes: Buffer, at: number, kind: number): Literal {
  switch (kind) {
    case number:
      return bytes.readDoubleLE(at)
    case integer:
      return bytes.readInt32LE(at)
    case longString:
      return { string: bytes.readUInt32LE(at) }
    case shortString:
      return { string: bytes.readUInt16LE(at) }
    case byteString:
      return { string: bytes.readUInt8(at) }
    case yes:
      return true
    case no:
      return false
    default:
      return null
  }
}
