import { columnOf, lineOf } from './column.ts'
import type { View } from './needles.ts'
import type { Extent, Name, Stretch, StringTable } from './string-table.ts'

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

/** A piece of text around a hit, one character for each byte or UTF-16 unit of the file. */
export interface Window {
  readonly text: string
  /** Index in `text` of the hit. */
  readonly at: number
  readonly offsetOf: (index: number) => number
  /** From a string table: the text begins and ends where the string does. */
  readonly isExact: boolean
  /** The hit reaches from one string of a table into the next: it is no string of the file. */
  readonly isTorn?: boolean
  readonly role: 'value' | 'name'
  /** By a string table. */
  readonly name?: string | undefined
  readonly decoder: string
}

const before = 4096
const after = 8192
/** In characters. */
const longestName = 64

/** Builds the window around a hit in bytes without a string table. */
export function rawWindow(bytes: Buffer, offset: number, view: View): Window {
  const unit = unitOf(view)
  const start = Math.max(offset % unit, offset - before)
  const end = Math.min(bytes.length, offset + after)
  return windowOf(bytes, { start, end, view, role: 'value' }, offset, false, view)
}

/** The string that a table says contains the hit; of a very long one, what surrounds the hit. */
export function exactWindow(bytes: Buffer, extent: Extent, offset: number): Window {
  const start = Math.max(extent.start, offset - before)
  const end = Math.min(extent.end, offset + 2 * after)
  const named = typeof extent.named === 'function' ? extent.named() : extent.named
  const name = named && nameIn(bytes, named)
  return { ...windowOf(bytes, { ...extent, start, end }, offset, true, 'string-table'), name }
}

/** Reads the beginning of a string that is a name. */
export function nameIn(bytes: Buffer, { start, end, view }: Name): string {
  return textOf(bytes.subarray(start, Math.min(end, start + longestName * unitOf(view))), view)
}

function windowOf(
  bytes: Buffer,
  { start, end, view, role }: Extent,
  offset: number,
  isExact: boolean,
  decoder: string,
): Window {
  const unit = unitOf(view)
  return {
    text: textOf(bytes.subarray(start, end), view),
    at: (offset - start) / unit,
    offsetOf: (index) => start + index * unit,
    isExact,
    role,
    decoder,
  }
}

/** Bytes of a character. */
function unitOf(view: View): 1 | 2 | 4 {
  return view === 'utf-8' ? 1 : view === 'utf-16le' || view === 'utf-16be' ? 2 : 4
}

function textOf(bytes: Buffer, view: View): string {
  if (view === 'utf-8') return bytes.toString('latin1')
  const unit = unitOf(view)
  const whole = bytes.subarray(0, bytes.length - (bytes.length % unit))
  if (unit === 4) return widest(whole)
  return view === 'utf-16le' ? whole.toString('utf16le') : Buffer.from(whole).swap16().toString('utf16le')
}

/** Characters beyond the first plane are none of a key: one unit in place of each keeps the indices. */
function widest(bytes: Buffer): string {
  const codes = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4))
  return String.fromCharCode(...codes.map((code) => (code > 0xffff ? 0xfffd : code)))
}
