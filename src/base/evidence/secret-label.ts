/** Kind of a secret, for the reader of a report. */
export type SecretKind = 'api-key' | 'session' | 'calling-jwt' | 'forged-jwt' | 'secret'

/** Kind that a text shows in place of a secret. */
export type ShownKind = SecretKind | 'jwt'

/** Stands in a text in place of a secret. */
export interface SecretLabel {
  readonly kind: ShownKind
  /** The same within a run for the same secret; null where the label has none. */
  readonly fingerprint: string | null
}

/** Writes a label; `isEncoded` where the secret stood in an encoding. */
export function writeSecretLabel(
  { kind, fingerprint }: SecretLabel,
  length: number,
  { isEncoded = false } = {},
): string {
  return `‹${isEncoded ? 'encoded ' : ''}${kind}, ${length} characters${fingerprint === null ? '' : `, #${fingerprint}`}›`
}

const label =
  /‹(?:encoded )?(session|calling-jwt|api-key|forged-jwt|jwt|secret), \d+ characters(?:, #([0-9a-f]{8}))?›/g

export function readSecretLabels(text: string): SecretLabel[] {
  if (!text.includes('‹')) return []
  return [...text.matchAll(label)].map(([, kind, fingerprint = null]) => ({
    kind: kind as ShownKind,
    fingerprint,
  }))
}

/** Replaces every label of a text, which may be markup. */
export function replaceSecretLabels(
  text: string,
  replace: (shown: string, kind: ShownKind) => string,
): string {
  if (!text.includes('‹')) return text
  return text.replace(label, (shown, kind: ShownKind) => replace(shown, kind))
}
