import { columnOf } from './column.ts'
import type { StringTable } from './string-table.ts'

import type { Window } from './window.ts'

/** A file, with the properties that decide how its strings end. */
export interface ScannedFile {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  readonly isText: boolean
  /** Code of native programs, whose strings may be packed back to back or cut into pieces. */
  readonly isPacked?: boolean
  /** True for a compressed value of a file: what is compressed in it again stays so. */
  readonly isUnpacked?: boolean
  /** Where the bytes begin in the file. */
  readonly base?: number
  /** Part of a window that no other window reports: `[start, end)` in the bytes. */
  readonly core?: { readonly start: number; readonly end: number }
  /** Strings by the format's own table, read where something was found: outside, bytes are read without a table. */
  readonly table?: () => StringTable | undefined
}

/** Where in its file an index of a window is. */
export function placeIn(file: ScannedFile, window: Window, index: number) {
  return placeAt(file, window.offsetOf(index))
}

/** Where in its file an offset in its bytes is. */
export function placeAt({ location, format, bytes, isText, base = 0 }: ScannedFile, offset: number) {
  const isCounted = isText && base === 0
  const line = isCounted ? { line: lineOf(bytes, offset), column: columnOf(bytes, offset) } : {}
  return { location, format, offset: base + offset, ...line }
}

/** Number of lines that end before each stretch of a file, as far as they were counted. */
const counted = new WeakMap<Buffer, number[]>()
const stretch = 512

/** Counted from 1. What was counted once is not counted again, in whatever order places are asked for. */
export function lineOf(bytes: Buffer, offset: number): number {
  const known = counted.get(bytes) ?? [0]
  counted.set(bytes, known)
  const index = Math.floor(Math.min(offset, bytes.length) / stretch)
  while (known.length <= index) {
    const last = known.length - 1
    known.push((known[last] ?? 0) + endsIn(bytes, last * stretch, known.length * stretch))
  }
  return 1 + (known[index] ?? 0) + endsIn(bytes, index * stretch, offset)
}

function endsIn(bytes: Buffer, from: number, to: number): number {
  const part = bytes.subarray(from, to)
  let count = 0
  for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) count += 1
  return count
}
