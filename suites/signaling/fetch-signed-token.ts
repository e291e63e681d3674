import type { TestKey } from '../../src/base/tokens/signing-key.ts'

/** A mint may sign with several keys in turn, or at random. */
const mostTries = 12

/** Why nothing can be made with `token.signWith` where `signedWith` finds no token. */
export const otherSigner = `none of ${mostTries} calling tokens was signed with token.signWith: nothing could be signed in their place`

/**
 * A calling token whose header suits what the key signs: one that this key has signed itself. What cannot be taken
 * apart is signed anew by nobody, and returned as it is. Null where the mint signs with other keys.
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
