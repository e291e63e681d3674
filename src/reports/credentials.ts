import { readSecretLabels, type SecretLabel, type ShownKind } from '../base/evidence/secret-label.ts'

/** The name of a kind, and the letter that distinguishes it without colours. */
export const credentialNames: Readonly<Record<ShownKind, { name: string; letter: string }>> = {
  session: { name: 'sessionToken', letter: 'A' },
  'calling-jwt': { name: 'calling JWT', letter: 'B' },
  'api-key': { name: 'API key', letter: 'K' },
  'forged-jwt': { name: 'forged JWT', letter: 'F' },
  jwt: { name: 'other JWT', letter: 'J' },
  secret: { name: 'secret', letter: 'S' },
}

/** Every secret that is labelled in a text, each once. */
export function findCredentials(text: string): SecretLabel[] {
  const found = readSecretLabels(text).map((one) => [`${one.kind} ${one.fingerprint}`, one] as const)
  return [...new Map(found).values()]
}
