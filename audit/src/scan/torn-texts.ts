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

const mark = '(?:[a-z@$]|u8)?["\']'
const blanks = '(?:[ \\t\\r\\n\\\\]|/\\*[^*]{0,80}\\*/){0,200}'

/** Nothing that a reader of the text would see, or that a compiler or a shell would keep. */
const seams = [
  // Literals side by side, and a word of a shell that goes on in quotation marks.
  `["']${blanks}${mark}`,
  '\\$?["\'](?=[\\w-])',
  '\\]\\]>(?:<!\\[CDATA\\[)?|<!\\[CDATA\\[',
  // The end of a line in a mail, in C and in the shells of three systems.
  '=\\r?\\n|[\\\\^`](?:\\r\\n?|\\n)[ \\t]{0,200}',
  // Characters of no width, in UTF-8.
  '\\xe2\\x80[\\x8b-\\x8f]|\\xe2\\x81\\xa0|\\xef\\xbb\\xbf|\\xc2\\xad',
  // Colours of a terminal.
  '\\x1b\\[[\\d;]{0,20}[mK]',
  // Runs of a table and of an open document.
  '</t></r><r>(?:<rPr>(?:<[^<>]{1,80}>){0,20}</rPr>)?<t(?:\\s[^<>]{0,80})?>',
  '</?text:span(?:\\s[^<>]{0,200})?>',
].join('|')
/** Other languages join literals with an operator; scripts are evaluated. */
const operator = `["']${blanks}(?:\\+|\\.\\.?|\\|\\||<>|&)${blanks}${mark}`
const seam = new RegExp(seams, 'iy')
const seamOrOperator = new RegExp(`${operator}|${seams}`, 'iy')
const ofKey = /[\w-]{0,200}/y
const mostPieces = 40

/**
 * Keys in literals that lie side by side, which compilers and shells join, and in sections of CDATA. A first piece that
 * is long enough for a key is one.
 */
export function scanTornLiterals(audit: ScanContext, file: ScannedFile): void {
  const places = [...shortBeginnings(file.bytes, audit), ...tornBeginnings(file.bytes, audit)]
  if (places.length === 0) return
  const between = file.format === 'text' ? seamOrOperator : seam
  scanValues(audit, file, tornLiterals(file.bytes, places, audit, between))
}

/** Places of the prefix behind which the key breaks off. */
function* shortBeginnings(bytes: Buffer, { prefix, leastSuffix }: ScanContext): Generator<number> {
  const needle = Buffer.from(prefix, 'latin1')
  const least = needle.length + leastSuffix
  let at = bytes.indexOf(needle)
  for (let count = 0; at !== -1 && count < mostTorn; count += 1) {
    if (takeAt(ofKey, bytes.toString('latin1', at, at + least), 0).length < least) yield at
    at = bytes.indexOf(needle, at + 1)
  }
}

const leastHalf = 3
/** People write texts of such a length; looking for halves in bundles would cost more than all else. */
const mostWritten = 256 * 1024
const mostBefore = 256
const isWord = /\w/

/** Places where the prefix may be torn itself: one tear leaves one half of it whole. */
function* tornBeginnings(bytes: Buffer, { prefix }: ScanContext): Generator<number> {
  const middle = Math.ceil(prefix.length / 2)
  const [first, second] = [prefix.slice(0, middle), prefix.slice(middle)]
  if (second.length < leastHalf || bytes.length > mostWritten) return
  let count = 0
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (!isContinued(bytes[at + middle], second[0]) || isWhole(bytes, at, prefix)) continue
    if (++count <= mostTorn) yield at
  }
  for (let at = bytes.indexOf(second); at !== -1; at = bytes.indexOf(second, at + 1)) {
    if (!isContinued(bytes[at - 1], first.at(-1)) || isWhole(bytes, at - middle, prefix)) continue
    const before = bytes.toString('latin1', Math.max(0, at - mostBefore), at)
    const start = before.lastIndexOf(first[0] ?? '')
    if (start !== -1 && ++count <= mostTorn) yield at - before.length + start
  }
}

function isWhole(bytes: Buffer, at: number, prefix: string): boolean {
  return bytes.toString('latin1', Math.max(0, at), at + prefix.length) === prefix
}

/** Says whether a byte beside one half of the prefix may be of the other half, or of a tear. */
function isContinued(byte: number | undefined, expected: string | undefined): boolean {
  const char = byte === undefined ? '' : String.fromCharCode(byte)
  return char === expected || (char !== '' && !isWord.test(char))
}

function* tornLiterals(
  bytes: Buffer,
  places: Iterable<number>,
  { prefix, leastSuffix }: ScanContext,
  between: RegExp,
): Generator<Unwrapped> {
  for (const start of places) {
    const text = bytes.toString('latin1', start, start + longestTorn)
    let joined = takeAt(ofKey, text, 0)
    let end = joined.length
    for (let count = 0; count < mostPieces; count++) {
      if (!joined.startsWith(prefix.slice(0, joined.length)) && !joined.startsWith(prefix)) break
      const gap = takeAt(between, text, end)
      if (gap === '') break
      const piece = takeAt(ofKey, text, end + gap.length)
      joined += piece
      end += gap.length + piece.length
    }
    const isTorn = !text.startsWith(prefix)
    if (joined.startsWith(prefix) && (isTorn || joined.length >= prefix.length + leastSuffix))
      yield { start, end: start + end, bytes: Buffer.from(joined, 'latin1'), encoding: 'pieces' }
  }
}

function takeAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
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
