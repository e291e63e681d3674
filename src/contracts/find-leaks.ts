import { findSecret } from '../base/find-secret/find-secret.ts'
import type { Answer } from '../base/http/client.ts'
import { readToken, tokensIn } from '../base/tokens/decode.ts'

/**
 * The places of an answer that contain a server key, plain or encoded: Pact allows extra fields and ignores them.
 * @returns "a header", "the body" or "a claim of the token"
 */
export function findKeys(answer: Answer, keys: readonly string[]): string[] {
  const tokens = tokensIn(answer.body)
  const claims = tokens.map((token) => JSON.stringify(readToken(token)?.claims ?? {})).join('\n')
  // The rest of the body is no token, so that any encoded match in it is a key.
  const body = tokens.reduce((text, token) => text.replaceAll(token, ''), answer.body)
  const headers = answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const places = { 'a header': headers, 'the body': body, 'a claim of the token': claims }
  return Object.entries(places)
    .filter(([, text]) => containsKey(text, keys))
    .map(([place]) => place)
}

/** A key of whichever project. */
const keyShape = /ac_live_[A-Za-z0-9_-]{8,}/i

function containsKey(text: string, keys: readonly string[]): boolean {
  return keyShape.test(text) || keys.some((key) => findSecret(text, key) !== null)
}
