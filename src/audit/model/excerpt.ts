import { createRedactor } from '../../base/evidence/redact.ts'
import { isPronounceable, wordCover } from './pronounceability.ts'

/** What is around a finding: a mark takes the place of the finding, and `…` that of all else that may be secret. */
export interface Excerpt {
  /** `text`: of the file. `expression`: the code before an expression, and then what the expression comes to. */
  readonly of: 'text' | 'expression'
  /** At most a hundred characters, of the same line. */
  readonly before: string
  readonly after: string
}

/** Where a secret was read. */
export interface Around {
  /** One character for each byte of UTF-8, or a text. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** What is in the text is another form of the secret: its extent is not known. */
  readonly isEncoded?: boolean
  /** The script before an expression, where the text is what that comes to. */
  readonly lead?: string
  /** Counted from 1, in a text file. */
  readonly column?: number
}

const longest = 100
/** Characters that are looked at on each side, so that a secret that is cut at the end of an excerpt is known as one. */
const looked = 300
/** Of those, what is read word by word. */
const read = 160
/** Of an encoded secret, on each side. */
const longestForm = 4096

/** `null` where nothing is around it. @param prefix of keys: what is behind it is shown nowhere, however short it is */
export function excerptOf(around: Around, prefix: string): Excerpt | null {
  const { text, lead } = around
  const { start, end } = extentOf(around)
  const isBytes = lead === undefined
  const clean = (side: string) => withoutPieces(redacted(readable(side, isBytes)), prefix)
  const cleanBefore = (side: string) => maskWords(nearEnd(clean(lastLine(side.slice(-looked)))))
  const before = cleanBefore(text.slice(Math.max(0, start - looked), start))
  const after = maskWords(nearStart(clean(firstLine(text.slice(end, end + looked)))))
  if (lead === undefined)
    return before + after === '' ? null : { of: 'text', before: endOf(before), after: startOf(after) }
  const code = cleanBefore(lead)
  return { of: 'expression', before: endOf(`${code}"${before}`), after: `${startOf(after, longest - 1)}"` }
}

/** A key may be in pieces, of which the first has the prefix and a few characters more. */
function withoutPieces(text: string, prefix: string): string {
  const [first = '', ...others] = text.split(prefix)
  return [first, ...others.map((behind) => behind.replace(/^[\w-]+/, ''))].join(hidden)
}

/** The end of a text, without the rest of a word that is cut. */
function nearEnd(text: string): string {
  return text.length > read ? hidden + text.slice(-read).replace(/^[\w$+/=-]+/, '') : text
}

function nearStart(text: string): string {
  return text.length > read ? text.slice(0, read).replace(/[\w$+/=-]+$/, '') + hidden : text
}

/** Of the secret in its text: characters that may belong to it are no surroundings. */
function extentOf({ text, start, end, isEncoded = false }: Around): { start: number; end: number } {
  const belongs = isEncoded ? /[^\s"'`<>\p{Cc}]/u : /[\w.-]/
  const most = isEncoded ? longestForm : looked
  let [from, to] = [start, end]
  while (from > 0 && start - from < most && belongs.test(text[from - 1] ?? '')) from -= 1
  while (to < text.length && to - end < most && belongs.test(text[to] ?? '')) to += 1
  return { start: from, end: to }
}

function lastLine(text: string): string {
  return text.slice(1 + Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')))
}

function firstLine(text: string): string {
  return text.split(/[\r\n]/, 1)[0] ?? ''
}

/** Bytes of UTF-8 as a text; what no reader can see is one dot. */
function readable(text: string, isBytes: boolean): string {
  return (isBytes && /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text)
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffc\ufffd]+/gu, '·')
}

/** Shown for every secret but the finding itself. */
const hidden = '…'

/** Without the secrets that are known by their form, and the values of fields that hold credentials. */
function redacted(text: string): string {
  // What is behind the finding may begin with the quote that closes it.
  const [quote = ''] = /^\\?["'`]?/.exec(text) ?? []
  // One for each text: what an excerpt shows must not hang on what was read before.
  const { received } = createRedactor(fingerprintKey)
  return quote + received(text.slice(quote.length)).replace(/‹[^›]*›/g, hidden)
}

/** No fingerprint is shown. */
const fingerprintKey = 'none'

/** Pieces of a key may be in the strings around it, and any other secret: only what reads like words is shown. */
function maskWords(text: string): string {
  return text
    .replace(/[\w$+/=-]*[A-Za-z0-9_$][\w$+=-]*/g, (word, at: number) =>
      isWord(word, text[at - 1] ?? '', text[at + word.length] ?? '') ? word : masked(word),
    )
    .replace(/…[…,\s'"`·\\]*…/g, hidden)
}

/** Of a path, each part by itself. */
function masked(word: string): string {
  return word.includes('/')
    ? word.replace(/[^/]+/g, (part) => (isWord(part, '/', '/') ? part : hidden))
    : hidden
}

const quotes = /["'`]/
/** The end of a name, as minifiers and versions number them. */
const numbered = /^[A-Za-z_$]+\d{1,2}$/

function isWord(word: string, previous: string, next: string): boolean {
  const isQuoted = quotes.test(previous) && quotes.test(next)
  if (word.length > longestWord) return false
  if (/\d/.test(word)) return numbered.test(word) && !isQuoted && /^[\s.({/!;:?]?$/.test(previous)
  const isSpoken = wordCover(word) >= 0.5 || (word.length >= 5 && isPronounceable(word))
  // What is escaped or quoted may be a piece of a secret, however short it is.
  return isSpoken || (!isQuoted && previous !== '\\' && word.length <= longestName)
}

const longestWord = 40
const longestName = 7

/** No half of a character is left by a cut. */
function endOf(text: string, most = longest): string {
  return text.length > most
    ? `${hidden}${text
        .slice(1 - most)
        .toWellFormed()
        .replace(/^\ufffd/, '')}`
    : text
}

function startOf(text: string, most = longest): string {
  return text.length > most
    ? `${text
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}${hidden}`
    : text
}
