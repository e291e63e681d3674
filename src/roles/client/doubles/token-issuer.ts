import type { Secrets } from '../../../base/evidence/secrets.ts'
import { createSigningKey, type SigningKey, signCallingToken } from '../../../base/tokens/signing-key.ts'
import type { TokenConfiguration } from '../../../base/tokens/token-configuration.ts'
import type { IssuedToken } from '../types.ts'

let ownKey: Promise<SigningKey> | undefined

/** The calling JWTs that a client is given: real ones, each different. The operator's test key signs them, or one of this process. */
export function createTokenIssuer(
  given: SigningKey | null,
  { userIdClaim }: TokenConfiguration,
  secrets: Secrets,
  { monotonic, wall }: { readonly monotonic: () => number; readonly wall: () => number },
) {
  const issued: IssuedToken[] = []
  const named = userIdClaim === 'auto' || userIdClaim.startsWith('$') ? [] : [userIdClaim]
  return {
    issued: issued as readonly IssuedToken[],
    isExpired: ({ expiresAt }: IssuedToken) => expiresAt <= wall() / 1000,
    find: (jwt: string) => issued.find((token) => token.jwt === jwt),
    async issue(userId: string, lifetimeSeconds: number): Promise<string> {
      ownKey ??= createSigningKey()
      const iat = Math.floor(wall() / 1000)
      const exp = iat + lifetimeSeconds
      const claims = Object.fromEntries(named.map((claim) => [claim, userId]))
      const jwt = await signCallingToken(given ?? (await ownKey), userId, { ...claims, iat, exp })
      secrets.register('calling-jwt', jwt)
      issued.push({ jwt, userId, at: monotonic(), expiresAt: exp })
      return jwt
    },
  }
}
