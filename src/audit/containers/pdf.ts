import { cutOff, overLimit } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'
import { isOverBound } from './growing-output.ts'
import { filters, pictureFilters, withoutPrediction } from './pdf-filters.ts'
import { stringsIn } from './pdf-strings.ts'

const mark = Buffer.from('%PDF-')
const longestDictionary = 8192
const mostStreams = 100_000

/** Streams by their filters, and strings that are written in another way. Found by their words, whatever the tables say. */
export const pdf: OpeningOf<'members'> = {
  opens: 'members',
  name: 'pdf',
  begins: [mark],
  read: (_, bytes, bound) => (isPdf(bytes) ? readPdf(bytes, bound) : []),
  isHead: isPdf,
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

const encrypted: Problem = {
  kind: 'encrypted',
  reason: 'encrypted PDF: decrypt it with qpdf --decrypt, and audit the result',
}
const unsupported: Problem = {
  kind: 'unsupported',
  reason:
    'streams of a PDF that cannot be opened: convert it with qpdf --stream-data=uncompress, and audit the result',
}
const tooMany: Problem = { kind: 'limit', reason: 'more streams or brackets in a PDF than the limits allow' }

function* readPdf(file: Buffer, bound: number): Generator<Member> {
  if (/\/Encrypt\s+\d+\s+\d+\s+R|\/Encrypt\s*<</.test(trailersOf(file))) {
    yield { name: null, bytes: null, problem: encrypted }
    return
  }
  let bodyStart = 0
  const body: Buffer[] = []
  let count = 0
  for (const { start, end, dictionary, number } of streamsIn(file)) {
    count += 1
    if (count > mostStreams) {
      yield { name: null, bytes: null, problem: tooMany }
      return
    }
    body.push(file.subarray(bodyStart, start))
    bodyStart = end
    const name = `object ${number}`
    const { bytes, problem, isText } = expand(file.subarray(start, end), dictionary, bound)
    if (problem !== undefined) yield { name, bytes: null, problem }
    if (bytes !== null) yield { name, bytes }
    if (bytes !== null && isText) yield* strings(name, bytes)
  }
  body.push(file.subarray(bodyStart))
  yield* strings('strings', Buffer.concat(body))
}

function* strings(name: string, bytes: Buffer): Generator<Member> {
  const { text, isWhole } = stringsIn(bytes)
  if (!isWhole) yield { name, bytes: null, problem: tooMany }
  if (text !== '') yield { name: name === 'strings' ? name : `${name} strings`, bytes: Buffer.from(text) }
}

/** Dictionaries of trailers are in the body or, since PDF 1.5, those of streams of cross references. */
function trailersOf(file: Buffer): string {
  const parts: string[] = []
  for (
    let at = file.indexOf('/Encrypt');
    at !== -1 && parts.length < 100;
    at = file.indexOf('/Encrypt', at + 8)
  )
    parts.push(file.toString('latin1', at, at + 40))
  return parts.join('\n')
}

interface Stream {
  readonly start: number
  readonly end: number
  readonly dictionary: string
  /** Of its object. */
  readonly number: string
}

function* streamsIn(file: Buffer): Generator<Stream> {
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at)) {
    const word = at
    at += 6
    const lineEnd =
      file[at] === 0x0d && file[at + 1] === 0x0a ? 2 : file[at] === 0x0a || file[at] === 0x0d ? 1 : 0
    if (lineEnd === 0 || file.toString('latin1', word - 3, word) === 'end') continue
    const before = file.toString('latin1', Math.max(0, word - longestDictionary), word)
    const object = before.lastIndexOf(' obj')
    const start = at + lineEnd
    const next = file.indexOf('endstream', start)
    const end = next === -1 ? file.length : next
    const [, number = '?'] =
      /(\d+)\s+\d+$/.exec(before.slice(Math.max(0, object - 24), Math.max(0, object))) ?? []
    yield { start, end, dictionary: before.slice(object + 1), number }
    at = end + 9
  }
}

/** The contents by the filters that its dictionary names; `null` of a picture, and of what is there as it is. */
function expand(
  data: Buffer,
  dictionary: string,
  bound: number,
): { readonly bytes: Buffer | null; readonly problem?: Problem; readonly isText: boolean } {
  const [, list, one] = /\/(?:Filter|F)\s*(?:\[([^\]]*)\]|\/(\w+))/.exec(dictionary) ?? []
  const names = [...(list ?? (one === undefined ? '' : `/${one}`)).matchAll(/\/(\w+)/g)].map(
    ([, name = '']) => name,
  )
  const isPicture = /\/Subtype\s*\/Image\b/.test(dictionary) || names.some((name) => pictureFilters.has(name))
  if (names.length === 0) return { bytes: null, isText: false }
  let bytes = data
  for (const name of names) {
    if (pictureFilters.has(name)) break
    const filter = filters[name]
    if (filter === undefined) return { bytes: null, problem: unsupported, isText: false }
    try {
      bytes = filter(bytes, bound)
    } catch (error) {
      const isOver = isOverBound(error) || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      return { bytes: null, problem: isOver ? overLimit : cutOff, isText: false }
    }
  }
  const isFont = /\/Length1\b|\/Subtype\s*\/(?:Type1C|CIDFontType0C|OpenType)\b/.test(dictionary)
  return { bytes: withoutPrediction(bytes, dictionary), isText: !isPicture && !isFont }
}
