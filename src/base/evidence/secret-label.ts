export type SecretKind = 'api-key' | 'session' | 'calling-jwt' | 'forged-jwt' | 'secret'

export type ShownKind = SecretKind | 'jwt'

/** Stands in a text in place of a secret. */
export interface SecretLabel {
  readonly kind: ShownKind
  /** The same within a run for the same secret; null where the label has none. */
  readonly fingerprint: string | null
}

export function writeSecretLabel({ kind, fingerprint }: SecretLabel, length: number): string {
  return `‹${kind}, ${length} characters${fingerprint === null ? '' : `, #${fingerprint}`}›`
}

const label = /‹(session|calling-jwt|api-key|forged-jwt|jwt|secret), \d+ characters(?:, #([0-9a-f]{8}))?›/g

export function readSecretLabels(text: string): SecretLabel[] {
  if (!text.includes('‹')) return []
  return [...text.matchAll(label)].map(([, kind, fingerprint = null]) => ({
    kind: kind as ShownKind,
    fingerprint,
  }))
}

export function replaceSecretLabels(
  text: string,
  replace: (shown: string, kind: ShownKind) => string,
): string {
  if (!text.includes('‹')) return text
  return text.replace(label, (shown, kind: ShownKind) => replace(shown, kind))
}

/** Text of a peer in which nothing looks like a label: only the suite writes those. */
export function disarmLabels(text: string): string {
  return text.replaceAll('‹', '<').replaceAll('›', '>')
}

/** Changes a text around its labels, of secrets and of what is not shown. */
export function outsideLabels(text: string, change: (part: string) => string): string {
  return text
    .split(/(‹[^‹›\n]{1,80}›)/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}

/** In a sentence of the suite, a quote may be text of a peer. */
const quotes = /("[^"\n]*"|`[^`\n]*`|“[^”\n]*(?:”|$))/m

export function changeQuotes(
  sentence: string,
  quoted: (part: string) => string,
  own: (part: string) => string,
): string {
  return sentence
    .split(quotes)
    .map((part, index) => (index % 2 === 1 ? quoted(part) : own(part)))
    .join('')
}
