import type { StringTable } from './string-table.ts'

import type { Window } from './window.ts'

/** What the file is, as far as it matters to how its strings end. */
export interface ScannedFile {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  readonly isText: boolean
  /** Code of native programs, whose strings may be packed back to back or cut into pieces. */
  readonly isPacked?: boolean
  /** Where the bytes begin in the file. */
  readonly base?: number
  /** Of a window of a file, the part that no other window reports: `[start, end)` in the bytes. */
  readonly core?: { readonly start: number; readonly end: number }
  /** Strings by the format's own table, read where something was found: outside, bytes are read without a table. */
  readonly table?: () => StringTable | undefined
}

/** Where in its file an index of a window is. */
export function placeIn(file: ScannedFile, window: Window, index: number) {
  const { location, format, bytes, base = 0 } = file
  const offset = window.offsetOf(index)
  const line = file.isText && base === 0 ? { line: lineOf(bytes, offset) } : {}
  return { location, format, offset: base + offset, ...line }
}

const counted = new WeakMap<Buffer, { offset: number; line: number }>()

/** Counted from 1. Places of one file mostly come in ascending order: what was counted is not counted again. */
export function lineOf(bytes: Buffer, offset: number): number {
  const last = counted.get(bytes)
  let { offset: from, line } = last !== undefined && last.offset <= offset ? last : { offset: 0, line: 1 }
  for (let at = bytes.indexOf(10, from); at !== -1 && at < offset; at = bytes.indexOf(10, at + 1)) {
    line += 1
    from = at + 1
  }
  counted.set(bytes, { offset: Math.max(from, offset), line })
  return line
}
