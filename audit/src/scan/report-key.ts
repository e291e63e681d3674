import { type KeyRule, keyRule } from '../model/rules.ts'
import { base64Around, decodeXored, escapedFrom, hexAround, reversedAround } from './decode.ts'
import { byItsHead, type KeyCandidate, keyAt, untilNext } from './key-candidate.ts'
import { isEndKnown, shapeIn, withEscapes } from './key-in-place.ts'
import type { Form } from './needles.ts'
import type { ScanContext } from './scan-context.ts'
import type { ScannedFile } from './scanned-file.ts'
import { placeIn } from './scanned-file.ts'
import { lengthBefore } from './stated-length.ts'
import type { Window } from './window.ts'

export function reportPlain(audit: ScanContext, file: ScannedFile, window: Window): void {
  const isLoose = !window.isExact && !file.isText
  // Short messages have no zeros, and are taken for texts.
  const isMessage = !window.isExact && /(?!\s)\p{Cc}/u.test(window.text[window.at - 2] ?? '')
  const length = isLoose || isMessage ? lengthBefore(window, audit.prefix, file.bytes) : null
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
  if (rule === null) return
  audit.collector.report({
    ...rule,
    ...placeIn(file, window, window.at),
    decoder: whole === null ? window.decoder : 'escape',
    secret: (whole ?? key).secret,
    show: audit.prefix,
    isString: whole === null && isStringIn(window, key),
    extent:
      rule.kind !== 'key' || (isEndKnown(file, window, whole ?? key) && length?.isBelieved !== false)
        ? undefined
        : 'uncertain',
  })
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

export function reportDecoded(
  audit: ScanContext,
  file: ScannedFile,
  window: Window,
  form: Form,
  phase: number,
): void {
  const { text, at } = decodedAs(form, window, phase, audit.prefix)
  if (!text.startsWith(audit.prefix, at)) return
  const { secret, shape, next } = keyAt(text, at, audit.prefix, audit.leastSuffix)
  const found = keyRule(form === 'reversed' ? 'folded' : 'encoded', shape)
  // Words in which the prefix is read backwards are no prefix.
  if (found === null || found.kind === 'identifier' || (found.kind === 'prefix' && form === 'reversed'))
    return
  const rule = ruleIn(window, found)
  const decoder = form === 'escaped' ? escapeName(window) : form
  const previous = window.text[window.at - 1] ?? ''
  const isCut =
    form === 'escaped'
      ? !isEndKnown(file, window, { previous, next })
      : form === 'reversed'
        ? file.isPacked === true && !window.isExact
        : form === 'base64' && next !== '' && !/[\s"'\\,;}&<\0]/.test(next) && !file.isText
  audit.collector.report({
    ...rule,
    ...placeIn(file, window, window.at),
    decoder,
    secret,
    show: audit.prefix,
    extent: isCut ? 'uncertain' : undefined,
  })
}

/** By the first escape: the characters before it may be plain. */
function escapeName({ text, at }: Window): string {
  const [first = ''] = /[\\%&]/.exec(text.slice(at)) ?? []
  return { '%': 'percent', '&': 'entity' }[first] ?? 'escape'
}

function decodedAs(form: Form, { text, at }: Window, phase: number, prefix: string) {
  if (form === 'base64') return base64Around(text, at, phase)
  if (form === 'hex') return hexAround(text, at)
  if (form === 'reversed') return reversedAround(text, at, prefix)
  return escapedFrom(text, at)
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
