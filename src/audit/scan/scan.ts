import { hole, mintCallAt } from '../mint-call.ts'
import { keyRule } from '../report-to.ts'
import type { Audit } from '../settings.ts'
import { base64Around, escapedFrom, hexAround, reversedAround, unxored } from './decode.ts'
import { keyAt } from './key.ts'
import { isEndKnown, shapeIn, withEscapes } from './key-in-place.ts'
import type { Form, Needle } from './needles.ts'
import { type Extent, exactWindow, rawWindow, type Window } from './window.ts'

/** What the file is, as far as it matters to how its strings end. */
export interface Scanned {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  readonly isText: boolean
  /** Where the bytes begin in the file. */
  readonly base?: number
  /** Strings by the format's own table, and where they are: outside, bytes are read without a table. */
  readonly table?: StringTable
}

export interface StringTable {
  readonly extents: readonly Extent[]
  readonly regions: readonly { readonly start: number; readonly end: number }[]
}

const maxHits = 20_000

/** Looks for every form in all of the bytes. */
export function scan(audit: Audit, file: Scanned): void {
  const find = lookup(file.table)
  let hits = 0
  const isFlood = () => {
    hits += 1
    if (hits === maxHits + 1)
      audit.collector.gap('limit', file.location, `more than ${maxHits} places to look at`)
    return hits > maxHits
  }
  audit.searcher.needles(file.bytes, (offset, needle) => {
    if (!isFlood())
      for (const window of windowsAt(file, find, offset, needle)) interpret(audit, file, window, needle)
  })
  audit.searcher.xored(file.bytes, (offset, key) => {
    if (!isFlood()) reportXored(audit, file, offset, key)
  })
  if (file.isText) scanEscapes(audit, file)
}

function windowsAt(file: Scanned, find: Lookup, offset: number, { view, bytes }: Needle): Window[] {
  const { extents, isCovered } = find(offset, offset + bytes.length)
  const exact = extents
    .filter((extent) => extent.view === view)
    .map((extent) => exactWindow(file.bytes, extent, offset))
  return exact.length > 0 || isCovered ? exact : [rawWindow(file.bytes, offset, view)]
}

type Lookup = (start: number, end: number) => { extents: Extent[]; isCovered: boolean }

function lookup(table: StringTable | undefined): Lookup {
  if (table === undefined) return () => ({ extents: [], isCovered: false })
  const sorted = [...table.extents].sort((a, b) => a.start - b.start)
  const longest = sorted.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  return (start, end) => {
    const extents: Extent[] = []
    for (let at = firstFrom(sorted, start - longest); at < sorted.length; at++) {
      const extent = sorted[at]
      if (extent === undefined || extent.start > start) break
      if (extent.end >= end) extents.push(extent)
    }
    const isCovered = table.regions.some((region) => region.start <= start && end <= region.end)
    return { extents, isCovered }
  }
}

function firstFrom(sorted: readonly Extent[], offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.start ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}

function interpret(audit: Audit, file: Scanned, window: Window, { form, phase }: Needle): void {
  if (form === 'jwt') reportJwt(audit, file, window)
  else if (form === 'mint-path') reportMintCall(audit, file, window)
  else if (form === 'plain') reportPlain(audit, file, window)
  else reportDecoded(audit, file, window, form, phase)
}

function reportDecoded(audit: Audit, file: Scanned, window: Window, form: Form, phase: number): void {
  const { text, at } = decodedAs(form, window, phase, audit.prefix)
  if (!text.startsWith(audit.prefix, at)) return
  const { secret, shape, next } = keyAt(text, at, audit.prefix, audit.leastSuffix)
  const rule = keyRule(form === 'reversed' ? 'folded' : 'encoded', shape)
  if (rule === null || rule.kind !== 'key') return
  const decoder = form === 'escaped' ? escapeName(window) : form
  const cut = form === 'base64' && next !== '' && !/[\s"'\\,;}&<\0]/.test(next) && !file.isText
  audit.collector.report({
    ...rule,
    ...place(file, window, window.at),
    decoder,
    secret,
    show: audit.prefix,
    ...(cut ? { extent: 'uncertain' as const } : {}),
  })
}

function escapeName({ text, at }: Window): string {
  return { '%': 'percent', '&': 'entity', '\\': 'escape' }[text[at] ?? ''] ?? 'escape'
}

function decodedAs(form: Form, { text, at }: Window, phase: number, prefix: string) {
  if (form === 'base64') return base64Around(text, at, phase)
  if (form === 'hex') return hexAround(text, at)
  if (form === 'reversed') return reversedAround(text, at, prefix)
  return escapedFrom(text, at)
}

function reportPlain(audit: Audit, file: Scanned, window: Window): void {
  const isLoose = !window.isExact && !file.isText
  const stated = isLoose ? statedLength(window, audit.prefix) : null
  const text = stated === null ? window.text : window.text.slice(0, window.at + stated)
  const key = keyAt(text, window.at, audit.prefix, audit.leastSuffix)
  const whole = file.isText ? withEscapes(audit, window, key) : null
  const shape = shapeIn(whole ?? key, window, file)
  if (shape === null) return
  const rule = keyRule(whole === null ? 'plain' : 'encoded', shape)
  if (rule === null) return
  audit.collector.report({
    ...rule,
    ...place(file, window, window.at),
    decoder: whole === null ? window.decoder : 'escape',
    secret: (whole ?? key).secret,
    show: audit.prefix,
    ...(rule.kind !== 'key' || isEndKnown(file, window, key) ? {} : { extent: 'uncertain' as const }),
  })
}

/**
 * Many binary formats put the length of a string into the byte before it (protobuf, among others), and the tag of the
 * next field directly after. Where that byte is usual punctuation, a tag has to stand before it.
 */
function statedLength({ text, at }: Window, prefix: string): number | null {
  const length = text.charCodeAt(at - 1)
  if (!(length >= prefix.length + 8 && length < 128)) return null
  const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at, at + 512))?.[0].length ?? 0
  const isPunctuation = /[\s"'`=:/,([{<>]/.test(text[at - 1] ?? '')
  const followsTag = /\p{Cc}/u.test(text[at - 2] ?? '') && text[at + run] !== text[at - 1]
  if (isPunctuation && !followsTag) return null
  return run >= length ? length : null
}

const jwtText = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*){1,3}/

function reportJwt(audit: Audit, file: Scanned, window: Window): void {
  const [jwt] = jwtText.exec(window.text.slice(window.at, window.at + 8192)) ?? []
  if (jwt === undefined) return
  const five = jwt.split('.')
  const text = five.length === 4 ? five.slice(0, 3).join('.') : jwt
  reportToken(audit, text, { ...place(file, window, window.at), decoder: window.decoder })
}

/** Reports a JWT by what it is; what only looks like one is passed over. */
export function reportToken(
  audit: Audit,
  jwt: string,
  where: { location: string; format: string; offset: number; decoder: string; line?: number },
): void {
  const candidates = jwt.split('.').length === 5 ? [jwt, jwt.split('.').slice(0, 3).join('.')] : [jwt]
  for (const text of candidates) {
    const verdict = audit.jwts.judge(text)
    if (verdict === null) continue
    const level = verdict === 'calling' ? 'error' : verdict === 'expired' ? 'warning' : 'note'
    audit.collector.report({
      rule: 'AUD-010',
      kind: 'jwt',
      level,
      ...where,
      secret: text,
      show: text.slice(0, 3),
    })
    return
  }
}

function reportMintCall(audit: Audit, file: Scanned, window: Window): void {
  const call = mintCallAt(window.text, window.at, audit.mintHost)
  if (call === null) return
  const where = { ...place(file, window, call.start), decoder: window.decoder }
  // A relative path beside the mint's address may be joined with it when the program runs.
  const isBeside =
    call.target === 'relative' &&
    ['https', 'http'].some((scheme) => file.bytes.includes(`${scheme}://${audit.mintHost ?? hole}`))
  reportCall(audit, isBeside ? { ...call, target: 'interpolated' } : call, where)
}

/** An error on the mint's host, a warning on another or an unknown one, a note without one. */
export function reportCall(
  audit: Audit,
  { url, target }: { url: string; target: 'mint' | 'other' | 'interpolated' | 'relative' },
  where: { location: string; format: string; offset: number; decoder: string; line?: number },
): void {
  audit.collector.report({
    rule: target === 'mint' ? 'AUD-020' : 'AUD-021',
    kind: 'mint-call',
    level: target === 'mint' ? 'error' : target === 'relative' ? 'note' : 'warning',
    ...where,
    secret: url,
    show: '',
  })
}

function reportXored(audit: Audit, file: Scanned, offset: number, key: number): void {
  const text = unxored(file.bytes, offset, key)
  const { secret, shape } = keyAt(text, 0, audit.prefix, audit.leastSuffix)
  const rule = keyRule('xor', shape)
  if (rule === null) return
  const { location, format, base = 0 } = file
  audit.collector.report({
    ...rule,
    location,
    format,
    decoder: 'xor',
    offset: base + offset,
    secret,
    show: audit.prefix,
    extent: 'uncertain',
  })
}

const chunk = 4 * 1024 * 1024

/** Mixtures of plain and escaped characters, in text. */
function scanEscapes(audit: Audit, file: Scanned): void {
  const { bytes } = file
  if (!bytes.includes('\\') && !bytes.includes('%') && !bytes.includes('&')) return
  for (let start = 0; start < bytes.length; start += chunk) {
    const text = bytes.toString('latin1', start, Math.min(bytes.length, start + chunk + 1024))
    for (const match of text.matchAll(audit.escaped)) {
      if (match[0] === audit.prefix || match.index >= chunk || !/[\\%&]/.test(match[0])) continue
      const window = rawWindow(bytes, start + match.index, 'utf-8')
      interpret(audit, file, window, { form: 'escaped', bytes: Buffer.alloc(0), view: 'utf-8', phase: 0 })
    }
  }
}

function place(file: Scanned, window: Window, index: number) {
  const { location, format, bytes, base = 0 } = file
  const offset = window.offsetOf(index)
  const line = file.isText && base === 0 ? { line: lineOf(bytes, offset) } : {}
  return { location, format, offset: base + offset, ...line }
}

export function lineOf(bytes: Buffer, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(10); at !== -1 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1
  return line
}
