import { Gunzip, Unzlib } from 'fflate'
import { encodedRuns } from './encoded-runs.ts'
import { dropInvisible, mostLevels, placeOf, reverseText, type TextView, unescapeView } from './text-view.ts'

/** How a text may hold something. */
export type Encoding =
  | 'plain'
  | 'escaped'
  | 'percent-encoded'
  | 'interrupted'
  | 'reversed'
  | 'base64'
  | 'hexadecimal'
  | 'character codes'

/** Match in one reading of a text, by indices into it. */
export interface Found<T> {
  readonly start: number
  readonly end: number
  readonly what: T
}

/** Match by its place in the searched text. Where that is encoded, the place is the whole encoded run. */
export interface Hit<T> extends Found<T> {
  readonly encoding: Encoding
}

/** Finds something in a text as it stands. Takes time in proportion to the text. */
export type Find<T> = (text: string) => Iterable<Found<T>>

export interface SearchOptions {
  /** The least number of characters that can be found. */
  readonly shortest: number
  /** Encoded runs that are known to hold nothing; those that hold nothing are added. */
  readonly harmless?: { has(run: string): boolean; add(run: string): unknown }
}

const deepest = 3
/** The second byte of zlib's header. */
const zlibLevels = '\x01\x5e\x9c\xda'
/** Bytes that compressed runs of one text may inflate to in all. */
const mostInflated = 1_048_576

/**
 * Searches a text as it stands, and as others read it: with escapes undone (also twice), without what is invisible,
 * backwards, and with base64, hexadecimal, character codes and compression decoded, one in another. Takes time in
 * proportion to the text.
 */
export function searchDecoded<T>(text: string, find: Find<T>, options: SearchOptions): Hit<T>[] {
  return [...readings(text, find, options, { depth: 0, inflatable: mostInflated })]
}

interface Spent {
  /** Depth of decoded runs in decoded runs. */
  readonly depth: number
  inflatable: number
}

function* readings<T>(text: string, find: Find<T>, options: SearchOptions, spent: Spent): Generator<Hit<T>> {
  let view: TextView | null = { text, places: null }
  for (let level = 0; view !== null && level <= mostLevels; level += 1) {
    const current = view
    for (const found of find(view.text)) yield hitOf(view, found, escapeOf(text, view, found))
    const visible = dropInvisible(view)
    if (visible !== null) for (const found of find(visible.text)) yield hitOf(visible, found, 'interrupted')
    const { length } = view.text
    for (const { start, end, what } of find(reverseText(view.text)))
      yield hitOf(view, { start: length - end, end: length - start, what }, 'reversed')
    /** Says whether a run differs from the source: the first level has already looked at equal ones. */
    const isNew = ({ start, end }: Found<unknown>) =>
      level === 0 ||
      text.slice(placeOf(current, start), placeOf(current, end)) !== current.text.slice(start, end)
    yield* inRuns(view, isNew, find, options, spent)
    view = unescapeView(view)
  }
}

function* inRuns<T>(
  view: TextView,
  isNew: (run: Found<null>) => boolean,
  find: Find<T>,
  options: SearchOptions,
  spent: Spent,
): Generator<Hit<T>> {
  const { harmless, shortest } = options
  for (const { start, end, encoding, meanings } of encodedRuns(view.text, shortest)) {
    if (!isNew({ start, end, what: null })) continue
    const run = `${encoding}:${view.text.slice(start, end)}`
    if (harmless?.has(run) === true) continue
    const first = firstMeaning(meanings(), find, options, spent)
    if (first === null) harmless?.add(run)
    else yield hitOf(view, { start, end, what: first.what }, encoding)
  }
}

/** By what stands in the source. */
function escapeOf(source: string, view: TextView, { start, end }: Found<unknown>): Encoding {
  const written = source.slice(placeOf(view, start), placeOf(view, end))
  if (view.places === null || written === view.text.slice(start, end)) return 'plain'
  return written.includes('%') && !/[\\&]/.test(written) ? 'percent-encoded' : 'escaped'
}

function firstMeaning<T>(
  meanings: readonly string[],
  find: Find<T>,
  options: SearchOptions,
  spent: Spent,
): { readonly what: T } | null {
  for (const meaning of meanings) {
    for (const { what } of find(meaning)) return { what }
    if (spent.depth >= deepest) continue
    for (const text of [...inflatedTexts(meaning, spent), ...(isText(meaning) ? [meaning] : [])]) {
      const inner = { depth: spent.depth + 1, inflatable: spent.inflatable }
      const [first] = readings(text, find, options, inner)
      spent.inflatable = inner.inflatable
      if (first !== undefined) return first
    }
  }
  return null
}

function hitOf<T>(view: TextView, { start, end, what }: Found<T>, encoding: Encoding): Hit<T> {
  return { start: placeOf(view, start), end: placeOf(view, end), what, encoding }
}

/** Random bytes are none; UTF-16 is. The first characters may be an unaligned rest of something else. */
function isText(bytes: string): boolean {
  const sample = bytes.slice(0, 256)
  const printed = sample.replace(/[^\t\n\r -~]/g, '').length + sample.split('\0').length - 1
  return sample.length >= 6 && printed >= sample.length * 0.75
}

function* inflatedTexts(bytes: string, spent: Spent): Generator<string> {
  const gzip = bytes.indexOf('\x1f\x8b\x08')
  if (gzip >= 0) yield inflate(Gunzip, bytes.slice(gzip), spent)
  if (bytes[0] === 'x' && zlibLevels.includes(bytes[1] ?? ' ')) yield inflate(Unzlib, bytes, spent)
}

/** As much as inflates before a defect or the bound. */
function inflate(Stream: typeof Gunzip | typeof Unzlib, bytes: string, spent: Spent): string {
  const chunks: Buffer[] = []
  const stream = new Stream((chunk: Uint8Array) => {
    chunks.push(Buffer.from(chunk.subarray(0, spent.inflatable)))
    spent.inflatable -= Math.min(chunk.length, spent.inflatable)
  })
  const compressed = Buffer.from(bytes, 'latin1')
  try {
    for (let from = 0; from < compressed.length && spent.inflatable > 0; from += 64)
      stream.push(compressed.subarray(from, from + 64), from + 64 >= compressed.length)
  } catch {
    // Text before the defect is searched all the same.
  }
  return Buffer.concat(chunks).toString('latin1')
}
