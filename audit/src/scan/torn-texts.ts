import type { ScanContext } from './scan-context.ts'
import type { ScannedFile } from './scanned-file.ts'
import { scanValues } from './unwrap.ts'
import type { Unwrapped } from './wrapped-values.ts'

/** Texts that are torn into pieces which a browser, a compiler or a text processor puts together again. */

const tag = '<[^<>]{0,200}>'
/** Markup that displays nothing: a comment, a possible line break, an empty element. */
const nothing = /<!--[^<>]*-->|<wbr\s*\/?>|<([a-z]{1,10})\b[^<>]{0,200}><\/\1>/gi
const mostOfKey = 1024
const mostTorn = 1000

const patterns = new Map<string, RegExp>()

function patternOf(prefix: string): RegExp {
  const made =
    patterns.get(prefix) ??
    new RegExp([...prefix].map((char) => char.replace(/\W/g, '\\$&')).join(`(?:${tag}){0,4}`), 'g')
  patterns.set(prefix, made)
  return made
}

/** Keys of which the prefix has markup in it. */
export function scanTornByMarkup(audit: ScanContext, file: ScannedFile): void {
  scanValues(audit, file, tornByMarkup(file.bytes.toString('latin1'), audit.prefix))
}

function* tornByMarkup(page: string, prefix: string): Generator<Unwrapped> {
  let count = 0
  for (const { 0: match, index } of page.matchAll(patternOf(prefix))) {
    const end = index + match.length
    const rest = page.slice(end, end + mostOfKey)
    const joined = rest.replace(nothing, '')
    const isTorn = match !== prefix || (/^[\w-]*</.test(rest) && joined !== rest)
    if (!isTorn || ++count > mostTorn) continue
    yield { start: index, end, bytes: Buffer.from(prefix + joined, 'latin1'), encoding: 'markup' }
  }
}

/**
 * The end of a literal and the beginning of the next one, with nothing between them but blanks and the end of a line; the
 * same of sections; the end of a line in a mail; and characters of no width, in UTF-8.
 */
const seam =
  /^(?:(["'])[ \t\r\n\\]{0,200}[a-z]?\1|\]\]><!\[CDATA\[|=\r?\n|\xe2\x80[\x8b-\x8d]|\xef\xbb\xbf|\xc2\xad)/i
const ofKey = /^[\w-]{0,200}/
const mostPieces = 40

/**
 * Keys in literals that lie side by side, which compilers and shells join, and in sections of CDATA. A first piece that
 * is long enough for a key is one.
 */
export function scanTornLiterals(audit: ScanContext, file: ScannedFile): void {
  const places = [...shortBeginnings(file.bytes, audit)]
  if (places.length > 0) scanValues(audit, file, tornLiterals(file.bytes, places, audit))
}

/** Places of the prefix behind which the key breaks off. */
function* shortBeginnings(bytes: Buffer, { prefix, leastSuffix }: ScanContext): Generator<number> {
  const needle = Buffer.from(prefix, 'latin1')
  const least = needle.length + leastSuffix
  let at = bytes.indexOf(needle)
  for (let count = 0; at !== -1 && count < mostTorn; count += 1) {
    const run = ofKey.exec(bytes.toString('latin1', at, at + least))?.[0] ?? ''
    if (run.length < least) yield at
    at = bytes.indexOf(needle, at + 1)
  }
}

function* tornLiterals(
  bytes: Buffer,
  places: Iterable<number>,
  { prefix, leastSuffix }: ScanContext,
): Generator<Unwrapped> {
  for (const start of places) {
    const text = bytes.toString('latin1', start, start + longestTorn)
    let joined = ofKey.exec(text)?.[0] ?? ''
    let end = joined.length
    for (let count = 0; count < mostPieces; count++) {
      const between = seam.exec(text.slice(end, end + mostOfKey))?.[0]
      if (between === undefined) break
      const piece = ofKey.exec(text.slice(end + between.length))?.[0] ?? ''
      joined += piece
      end += between.length + piece.length
    }
    if (joined.length >= prefix.length + leastSuffix)
      yield { start, end: start + end, bytes: Buffer.from(joined, 'latin1'), encoding: 'pieces' }
  }
}

const longestTorn = 4096

/** Words of an office document that its runs tear into pieces. */
const run = /<(?:w|a):t(?:\s[^<>]{0,200})?>([^<]*)<\/(?:w|a):t>|<\/(?:w|a):p>/g

/** Scans the paragraphs of an office document as one text each. */
export function scanRuns(audit: ScanContext, file: ScannedFile): void {
  if (!file.bytes.includes(':t>')) return
  const text = file.bytes.toString('latin1')
  const joined = [...text.matchAll(run)].map(([, piece]) => piece ?? '\n').join('')
  const place = { start: 0, end: file.bytes.length }
  if (joined !== '')
    scanValues(audit, file, [{ ...place, bytes: Buffer.from(joined, 'latin1'), encoding: 'markup' }])
}

const push = /__next_f\.push\(\s*\[\s*1\s*,\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*\]\s*\)/g

/** Scans the pieces that Next.js sends to a page, of any length, as one text. */
export function scanFlight(audit: ScanContext, file: ScannedFile): void {
  if (!file.bytes.includes('__next_f')) return
  const pieces = [...file.bytes.toString('latin1').matchAll(push)]
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (first === undefined || last === undefined || pieces.length < 2) return
  const text = pieces.map(([, literal = '""']) => textOf(literal)).join('')
  const [start, end] = [first.index, last.index + last[0].length]
  scanValues(audit, file, [{ start, end, bytes: Buffer.from(text, 'latin1'), encoding: 'flight' }])
}

function textOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return ''
  }
}
