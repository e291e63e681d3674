import type { ScanContext } from './scan-context.ts'
import type { ScannedFile } from './scanned-file.ts'
import { scanValues } from './unwrap.ts'
import type { Unwrapped } from './wrapped-values.ts'

/** Texts of a page that its markup, or its scripts, tear into pieces which a browser puts together again. */

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
