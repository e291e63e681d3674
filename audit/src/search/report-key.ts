import type { KeyShape } from '../model/key-shape.ts'
import { isMention } from '../model/mention.ts'
import { type KeyRule, keyRule } from '../model/rules.ts'
import { nameBefore, nameBeforeEncoded } from './around.ts'
import { decodeXored, escapedFrom } from './decode.ts'
import { type Encoding, mixed, reversed } from './encodings.ts'
import { byItsHead, type KeyCandidate, keyAt, untilNext } from './key-candidate.ts'
import type { ScanContext } from './scan-context.ts'
import { lengthBefore } from './stated-length.ts'
import { placeIn, type ScannedFile, type Window } from './window.ts'

export function reportPlain(audit: ScanContext, file: ScannedFile, window: Window): void {
  const isLoose = !window.isExact && !file.isText
  // Short messages have no zeros, and are taken for texts.
  const isMessage = !window.isExact && /(?!\s)\p{Cc}/u.test(window.text[window.at - 2] ?? '')
  const length = isLoose || isMessage ? lengthBefore(window, audit.prefix) : null
  const stated = length?.isBelieved === true ? length.characters : null
  const text = stated === null ? window.text : window.text.slice(0, window.at + stated)
  const run = keyAt(text, window.at, audit.prefix, audit.leastSuffix)
  const isOpen = isLoose && stated === null
  const key = isOpen
    ? byItsHead(untilNext(run, text, window.at, audit), audit.prefix, audit.leastSuffix)
    : run
  const whole = stated === null ? withEscapes(audit, window, key) : null
  const shape = shapeIn(whole ?? key, window, file)
  if (shape === null) return
  const rule = ruleIn(window, keyRule(whole === null ? 'plain' : 'encoded', shape))
  if (rule === null || (rule.kind === 'prefix' && isMentioned(audit, file, window))) return
  audit.collector.report({
    ...rule,
    ...placeIn(file, window, window.at),
    decoder: whole === null ? window.decoder : 'escape',
    secret: (whole ?? key).secret,
    show: audit.prefix,
    name: isLoose ? undefined : (window.name ?? nameBefore(window.text, window.at)),
    isString: whole === null && isStringIn(window, key),
    extent:
      rule.kind !== 'key' ||
      stated !== null ||
      (isEndKnown(file, window, whole ?? key) && length?.isBelieved !== false)
        ? undefined
        : 'uncertain',
  })
}

/** A guard compares with the prefix, and a sentence explains it. */
function isMentioned({ prefix }: ScanContext, file: ScannedFile, { text, at }: Window): boolean {
  return file.isText === true && isMention(text, at, prefix)
}

/** A string inside a string, as in the modules of an `eval` build, ends in a quote behind a backslash. */
function isStringIn({ isExact, text, at }: Window, { secret, previous, next }: KeyCandidate): boolean {
  const closing = next === '\\' ? (text[at + secret.length + 1] ?? '') : next
  return isExact ? next === '' : /["'`]/.test(closing) && closing === previous
}

/** Lowers a key across two neighbouring strings to a note: no program uses them as one. It still counts. */
function ruleIn<T extends KeyRule | null>({ isTorn = false }: Window, rule: T): T | KeyRule {
  return isTorn && rule !== null ? { rule: 'AUD-003', level: 'note', kind: 'identifier' } : rule
}

/** @param decoded the window with the text that was encoded in it */
export function reportDecoded(
  audit: ScanContext,
  file: ScannedFile,
  {
    window,
    decoded,
    encoding,
  }: { readonly window: Window; readonly decoded: Window; readonly encoding: Encoding },
): void {
  const { text, at } = decoded
  if (!text.startsWith(audit.prefix, at)) return
  const run = keyAt(text, at, audit.prefix, audit.leastSuffix)
  const isLoose = !window.isExact && !file.isText
  const { secret, shape, next } = isLoose ? untilNext(run, text, at, audit) : run
  const isReversed = encoding === reversed
  const found = keyRule(encoding.rule, shape)
  // Words in which the prefix is read backwards are no prefix.
  if (found === null || found.kind === 'identifier' || (found.kind === 'prefix' && isReversed)) return
  const rule = ruleIn(window, found)
  const previous = window.text[window.at - 1] ?? ''
  const isCut = isReversed
    ? file.isPacked === true && !window.isExact
    : encoding === mixed
      ? !isEndKnown(file, window, { previous, next })
      : !file.isText && next !== '' && !/[\s"'\\,;}&<\0]/.test(next)
  audit.collector.report({
    ...rule,
    ...placeIn(file, window, window.at),
    decoder: encoding.name === mixed.name ? escapeName(window) : decoded.decoder,
    secret,
    show: audit.prefix,
    name: window.name ?? (file.isText ? nameBeforeEncoded(window.text, window.at) : undefined),
    extent: isCut ? 'uncertain' : undefined,
  })
}

/** By the first escape: the characters before it may be plain. */
function escapeName({ text, at }: Window): string {
  const [first = ''] = /[\\%&]/.exec(text.slice(at)) ?? []
  return { '%': 'percent', '&': 'entity' }[first] ?? 'escape'
}

export function reportXored(audit: ScanContext, file: ScannedFile, offset: number, key: number): void {
  const text = decodeXored(file.bytes, offset, key)
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

/** Judges the shape of a candidate in its place; `null` where it is nothing. */
function shapeIn(key: KeyCandidate, window: Window, file: ScannedFile): KeyShape | null {
  const { shape } = key
  if (file.isText || window.isExact) {
    if (key.isGlued && shape === 'strong') return 'weak'
    if (key.follows && shape !== 'strong') return shape === 'weak' ? 'identifier' : null
  }
  if (window.role === 'name' && shape === 'weak') return 'identifier'
  return shape === 'bare' && key.isGlued ? null : shape
}

/** Says whether a candidate ends where the secret ends. */
function isEndKnown(
  file: ScannedFile,
  window: Window,
  { previous, next, isHead }: Pick<KeyCandidate, 'previous' | 'next' | 'isHead'>,
): boolean {
  if (isHead === true) return false
  if (window.isExact || file.isText) return true
  // The zero behind it may be that of the last one of many strings.
  if (file.isPacked === true) return false
  if (next === '' || next === '\0') return true
  if (/["'`]/.test(next) && next === previous) return true
  return /\p{Cc}/u.test(next) || /[\s"'`<]/.test(next)
}

/** The whole of a key that goes on in escapes; `null` where it does not. */
function withEscapes(
  { prefix, leastSuffix }: ScanContext,
  { text, at }: Window,
  key: KeyCandidate,
): KeyCandidate | null {
  if (!/[\\%&]/.test(key.next)) return null
  const whole = keyAt(escapedFrom(text, at).text, 0, prefix, leastSuffix)
  return whole.secret.length > key.secret.length
    ? { ...key, secret: whole.secret, shape: whole.shape, next: whole.next }
    : null
}
