import type { KeyShape } from '../model/key-shape.ts'
import { escapedFrom } from './decode.ts'
import { type KeyCandidate, keyAt } from './key-candidate.ts'
import type { ScanContext } from './scan-context.ts'
import type { ScannedFile } from './scanned-file.ts'
import type { Window } from './window.ts'

/** Judges the shape of a candidate in its place; `null` where it is nothing. */
export function shapeIn(key: KeyCandidate, window: Window, file: ScannedFile): KeyShape | null {
  const { shape } = key
  if (file.isText || window.isExact) {
    if (key.isGlued && shape === 'strong') return 'weak'
    if (key.follows && shape !== 'strong') return shape === 'weak' ? 'identifier' : null
  }
  if (window.role === 'name' && shape === 'weak') return 'identifier'
  return shape === 'bare' && key.isGlued ? null : shape
}

/** Says whether a candidate ends where the secret ends. */
export function isEndKnown(
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
export function withEscapes(
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
