import { type KeyRule, keyRule } from '../model/rules.ts'
import { base64Around, decodeXored, escapedFrom, hexAround, reversedAround } from './decode.ts'
import { byItsHead, keyAt } from './key-candidate.ts'
import { isEndKnown, shapeIn, withEscapes } from './key-in-place.ts'
import type { Form } from './needles.ts'
import type { ScanContext } from './scan-context.ts'
import type { ScannedFile } from './scanned-file.ts'
import { placeIn } from './scanned-file.ts'
import type { Window } from './window.ts'

export function reportPlain(audit: ScanContext, file: ScannedFile, window: Window): void {
  const isLoose = !window.isExact && !file.isText
  const stated = isLoose ? statedLength(window, audit.prefix) : null
  const text = stated === null ? window.text : window.text.slice(0, window.at + stated)
  const run = keyAt(text, window.at, audit.prefix, audit.leastSuffix)
  const key = isLoose && stated === null ? byItsHead(run, audit.prefix, audit.leastSuffix) : run
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
    ...(rule.kind !== 'key' || isEndKnown(file, window, whole ?? key)
      ? {}
      : { extent: 'uncertain' as const }),
  })
}

/** What two neighbouring strings make together is never used as one; it is counted all the same. */
function ruleIn<T extends KeyRule | null>({ isTorn = false }: Window, rule: T): T | KeyRule {
  return isTorn && rule !== null ? { rule: 'AUD-003', level: 'note', kind: 'identifier' } : rule
}

/**
 * Many binary formats put the length of a string into the byte before it (protobuf, among others), and the tag of the
 * next field directly after. Where that byte is usual punctuation, a tag has to be before it, which is no ASCII.
 */
function statedLength({ text, at }: Window, prefix: string): number | null {
  const length = text.charCodeAt(at - 1)
  if (!(length >= prefix.length + 8 && length < 128)) return null
  const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at, at + 512))?.[0].length ?? 0
  const isPunctuation = /[\s"'`=:/,([{<>]/.test(text[at - 1] ?? '')
  const followsTag = /[\p{Cc}\u0080-\u00ff]/u.test(text[at - 2] ?? '') && text[at + run] !== text[at - 1]
  if (isPunctuation && !followsTag) return null
  return run >= length ? length : null
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
  if (found?.kind !== 'key') return
  const rule = ruleIn(window, found)
  const decoder = form === 'escaped' ? escapeName(window) : form
  const previous = window.text[window.at - 1] ?? ''
  const isCut =
    form === 'escaped'
      ? !isEndKnown(file, window, { previous, next })
      : form === 'base64' && next !== '' && !/[\s"'\\,;}&<\0]/.test(next) && !file.isText
  audit.collector.report({
    ...rule,
    ...placeIn(file, window, window.at),
    decoder,
    secret,
    show: audit.prefix,
    ...(isCut ? { extent: 'uncertain' as const } : {}),
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
