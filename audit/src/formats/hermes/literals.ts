import { align, type Layout } from './tables.ts'

/** A literal that an array begins with: a number, the number of a string, or something else. */
export type Literal = number | { readonly string: number } | null

const [number, longString, shortString, byteString, integer] = [3, 4, 5, 6, 7]
const mostLiterals = 4096

/** Where the literals of arrays are: behind the strings. Versions before 87 have no table of large integers. */
export function literalsAt(
  bytes: Buffer,
  { version, storageEnd }: Layout,
): { readonly start: number; readonly end: number } {
  const start = align(storageEnd)
  return { start, end: Math.min(bytes.length, start + bytes.readUInt32LE(version < 87 ? 72 : 80)) }
}

/** So many literals from a place on, in runs of one kind each; fewer where they do not parse. */
export function readLiterals(bytes: Buffer, start: number, end: number, count: number): Literal[] {
  const literals: Literal[] = []
  const wanted = Math.min(count, mostLiterals)
  let at = start
  while (literals.length < wanted && at + 2 <= end) {
    const tag = bytes.readUInt8(at)
    const isLong = tag >= 0x80
    const length = isLong ? (tag & 15) * 256 + bytes.readUInt8(at + 1) : tag & 15
    at += isLong ? 2 : 1
    const kind = (tag >> 4) & 7
    const size = sizes[kind] ?? 0
    for (let index = 0; index < length && literals.length < wanted; index++, at += size) {
      if (at + size > end) return literals
      literals.push(literalAt(bytes, at, kind))
    }
  }
  return literals
}

const sizes: readonly number[] = [0, 0, 0, 8, 4, 2, 1, 4]

function literalAt(bytes: Buffer, at: number, kind: number): Literal {
  if (kind === number) return bytes.readDoubleLE(at)
  if (kind === integer) return bytes.readInt32LE(at)
  if (kind === longString) return { string: bytes.readUInt32LE(at) }
  if (kind === shortString) return { string: bytes.readUInt16LE(at) }
  return kind === byteString ? { string: bytes.readUInt8(at) } : null
}
