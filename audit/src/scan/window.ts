import type { View } from './needles.ts'
import type { Extent } from './string-table.ts'

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
  readonly decoder: string
}

const before = 4096
const after = 8192

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
  return windowOf(bytes, { ...extent, start, end }, offset, true, 'string-table')
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
export function unitOf(view: View): 1 | 2 {
  return view === 'utf-8' ? 1 : 2
}

export function textOf(bytes: Buffer, view: View): string {
  if (view === 'utf-8') return bytes.toString('latin1')
  const even = bytes.subarray(0, bytes.length & ~1)
  return view === 'utf-16le' ? even.toString('utf16le') : Buffer.from(even).swap16().toString('utf16le')
}
