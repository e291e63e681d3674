import { columnOf, lineOf } from './column.ts'
import type { Stretch, StringTable } from './string-table.ts'
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
  /** Strings at some stretches by the format's own table, read where something was found: elsewhere no table is read. */
  readonly table?: (stretches: readonly Stretch[]) => StringTable | undefined
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
