import { Gunzip, Unzlib } from 'fflate'
import { shapeless } from '../printable.ts'
import { encodedRuns } from './encoded-runs.ts'
import { mostLevels, unescapeAll, unescapeOnce } from './escapes.ts'

export type Encoding =
  | 'plain'
  | 'escaped'
  | 'percent-encoded'
  | 'interrupted'
  | 'reversed'
  | 'base64'
  | 'hexadecimal'
  | 'character codes'

const deepest = 3
/** The second byte of zlib's header. */
const zlibLevels = '\x01\x5e\x9c\xda'
/** Bytes that compressed runs of one text may inflate to in all. */
const mostInflated = 1_048_576

interface Search {
  /** The secret, and what it reads as where escapes are undone in it, too. */
  readonly forms: readonly string[]
  readonly reversed: readonly string[]
  /** Encoded runs that hold nothing. */
  readonly harmless: Set<string>
  inflatable: number
}

/**
 * How a text holds a secret, for a verdict; `null` where it does not. It reads the text as it is, with escapes undone (also
 * twice), without what is invisible, backwards, and with base64, hexadecimal, character codes and compression decoded, one in
 * another. Takes time in proportion to the text.
 */
export function findSecret(text: string, secret: string): Encoding | null {
  if (secret === '') return null
  const forms = [...new Set([secret, unescapeAll(secret)])].filter((form) => form !== '')
  const reversed = forms.map((form) => form.split('').reverse().join(''))
  return findIn(text, { forms, reversed, harmless: new Set(), inflatable: mostInflated }, 0)
}

function findIn(text: string, search: Search, depth: number): Encoding | null {
  const has = (reading: string) => search.forms.some((form) => reading.includes(form))
  let reading = text
  for (let level = 0; level <= mostLevels; level += 1) {
    if (has(reading)) return level === 0 ? 'plain' : escapeOf(text, has)
    if (has(reading.replace(shapeless, ''))) return 'interrupted'
    if (search.reversed.some((form) => reading.includes(form))) return 'reversed'
    const encoding = findInRuns(reading, search, depth)
    if (encoding !== null) return encoding
    const next = unescapeOnce(reading)
    if (next === reading) return null
    reading = next
  }
  return null
}

function escapeOf(text: string, has: (reading: string) => boolean): Encoding {
  let reading = text
  for (let level = 0; level < mostLevels; level += 1) {
    reading = reading.replace(/%[0-9a-f]{2}/gi, unescapeOnce)
    if (has(reading)) return 'percent-encoded'
  }
  return 'escaped'
}

function findInRuns(text: string, search: Search, depth: number): Encoding | null {
  const shortest = search.forms[0]?.length ?? 0
  for (const { encoding, written, meanings } of encodedRuns(text, shortest)) {
    const run = `${encoding}:${written}`
    if (search.harmless.has(run)) continue
    if (meanings().some((meaning) => isIn(meaning, search, depth))) return encoding
    search.harmless.add(run)
  }
  return null
}

function isIn(meaning: string, search: Search, depth: number): boolean {
  if (search.forms.some((form) => meaning.includes(form))) return true
  if (depth >= deepest) return false
  const texts = [...inflatedTexts(meaning, search), ...(isText(meaning) ? [meaning] : [])]
  return texts.some((text) => findIn(text, search, depth + 1) !== null)
}

/** Random bytes are none; UTF-16 is. The first characters may be an unaligned rest of something else. */
function isText(bytes: string): boolean {
  const sample = bytes.slice(0, 256)
  const printed = sample.replace(/[^\t\n\r -~]/g, '').length + sample.split('\0').length - 1
  return sample.length >= 6 && printed >= sample.length * 0.75
}

function* inflatedTexts(bytes: string, search: Search): Generator<string> {
  const gzip = bytes.indexOf('\x1f\x8b\x08')
  if (gzip >= 0) yield inflate(Gunzip, bytes.slice(gzip), search)
  if (bytes[0] === 'x' && zlibLevels.includes(bytes[1] ?? ' ')) yield inflate(Unzlib, bytes, search)
}

/** As much as inflates before a defect or the bound. */
function inflate(Stream: typeof Gunzip | typeof Unzlib, bytes: string, search: Search): string {
  const chunks: Buffer[] = []
  const stream = new Stream((chunk: Uint8Array) => {
    chunks.push(Buffer.from(chunk.subarray(0, search.inflatable)))
    search.inflatable -= Math.min(chunk.length, search.inflatable)
  })
  const compressed = Buffer.from(bytes, 'latin1')
  try {
    for (let from = 0; from < compressed.length && search.inflatable > 0; from += 64)
      stream.push(compressed.subarray(from, from + 64), from + 64 >= compressed.length)
  } catch {
    // Text before the defect is searched all the same.
  }
  return Buffer.concat(chunks).toString('latin1')
}
