import type { TestKey } from '../../../src/base/tokens/signing-key.ts'

/** A mint may sign with several keys in turn, or at random. */
const mostTries = 12

/** The reason for an untested part where `fetchSignedToken` finds no token. */
export const otherSigner = `none of ${mostTries} calling tokens was signed with token.signWith, so no variant of one could be signed`

/**
 * A calling token that this key has signed, so that its header suits what the key signs. A token that cannot be parsed is
 * returned as it is. Null where the mint signs with other keys.
 */
export async function fetchSignedToken<Token extends { readonly jwt: string }>(
  key: TestKey,
  fetch: () => Promise<Token>,
): Promise<Token | null> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const token = await fetch()
    if (token.jwt.split('.').length !== 3 || (await key.hasSigned(token.jwt))) return token
  }
  return null
}
