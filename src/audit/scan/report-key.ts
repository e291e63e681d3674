import { keyRule } from '../report-to.ts'
import type { Audit } from '../settings.ts'
import { base64Around, escapedFrom, hexAround, reversedAround, unxored } from './decode.ts'
import { keyAt } from './key.ts'
import type { Form } from './needles.ts'
import { place } from './place.ts'
import type { Scanned } from './scan.ts'
import type { Window } from './window.ts'

export function reportPlain(audit: Audit, file: Scanned, window: Window): void {
  const isLoose = !window.isExact && !file.isText
  const stated = isLoose ? statedLength(window, audit.prefix) : null
  const key = keyAt(
    stated === null ? window.text : window.text.slice(0, window.at + stated),
    window.at,
    audit.prefix,
  )
  let { shape } = key
  if (window.role === 'name' && shape === 'weak') shape = 'identifier'
  if (shape !== 'strong' && key.follows && (file.isText || window.isExact)) {
    if (shape !== 'weak') return
    shape = 'identifier'
  }
  if (shape === 'bare' && (window.role === 'name' || !isLiteral(file, window, key.previous, key.next))) return
  const rule = keyRule('plain', shape)
  if (rule === null) return
  const hasEnd =
    window.isExact ||
    file.isText ||
    key.next === '' ||
    /\p{Cc}/u.test(key.next) ||
    /[\0\s"'`<]/.test(key.next)
  audit.collector.report({
    ...rule,
    ...place(file, window, window.at),
    decoder: window.decoder,
    secret: key.secret,
    show: audit.prefix,
    ...(hasEnd || rule.kind !== 'key' ? {} : { extent: 'uncertain' as const }),
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

/** The bare prefix counts where it is a string of its own or the end of one, not in running text. */
function isLiteral(file: Scanned, window: Window, previous: string, next: string): boolean {
  if (window.isExact) return next === ''
  const closes = file.isText ? /^["'`$]$/ : /^\0$/
  const opens = file.isText ? /^["'` ]$/ : /^[^A-Za-z_]$/
  return closes.test(next) && (previous === '' || opens.test(previous))
}

export function reportDecoded(audit: Audit, file: Scanned, window: Window, form: Form, phase: number): void {
  const { text, at } = decodedAs(form, window, phase, audit.prefix)
  if (!text.startsWith(audit.prefix, at)) return
  const { secret, shape, next } = keyAt(text, at, audit.prefix)
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

export function reportXored(audit: Audit, file: Scanned, offset: number, key: number): void {
  const text = unxored(file.bytes, offset, key)
  const { secret, shape } = keyAt(text, 0, audit.prefix)
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
