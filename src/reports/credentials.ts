/** The kinds of secret that a label of the redactor names. */
export type CredentialKind = 'session' | 'calling-jwt' | 'api-key' | 'forged-jwt' | 'jwt' | 'secret'

/** A recorded secret, as the redactor shows it. */
export interface Credential {
  readonly kind: CredentialKind
  /** The same within a run for the same secret; null where the label has none. */
  readonly fingerprint: string | null
}

/** The name of a kind, and the letter that distinguishes it without colours. */
export const credentialNames: Readonly<Record<CredentialKind, { name: string; letter: string }>> = {
  session: { name: 'sessionToken', letter: 'A' },
  'calling-jwt': { name: 'calling JWT', letter: 'B' },
  'api-key': { name: 'API key', letter: 'K' },
  'forged-jwt': { name: 'forged JWT', letter: 'F' },
  jwt: { name: 'other JWT', letter: 'J' },
  secret: { name: 'secret', letter: 'S' },
}

const label =
  /‹(?:encoded )?(session|calling-jwt|api-key|forged-jwt|jwt|secret), \d+ characters(?:, #([0-9a-f]{8}))?›/g

/** Every secret that is labelled in a redacted text, each once. */
export function findCredentials(text: string): Credential[] {
  if (!text.includes('‹')) return []
  const found = new Map<string, Credential>()
  for (const [, kind, fingerprint = null] of text.matchAll(label))
    found.set(`${kind} ${fingerprint}`, { kind: kind as CredentialKind, fingerprint })
  return [...found.values()]
}

/** Replaces every label in a text that is already markup. */
export function replaceLabels(
  text: string,
  replace: (shown: string, kind: CredentialKind) => string,
): string {
  if (!text.includes('‹')) return text
  return text.replace(label, (shown, kind: CredentialKind) => replace(shown, kind))
}
