import { generateKeyPair, SignJWT } from 'jose'
import type { Secrets } from '../../../base/evidence/secrets.ts'
import type { SigningKey } from '../../../base/tokens/signing-key.ts'
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
      ownKey ??= generateKeyPair('ES256').then(({ privateKey }) => ({ alg: 'ES256', key: privateKey }))
      const { alg, key } = given ?? (await ownKey)
      const now = Math.floor(wall() / 1000)
      const claims = Object.fromEntries(['userId', ...named].map((claim) => [claim, userId]))
      const jwt = await new SignJWT({ ...claims, jti: crypto.randomUUID() })
        .setSubject(userId)
        .setProtectedHeader({ alg, typ: 'JWT' })
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key)
      secrets.register('calling-jwt', jwt)
      issued.push({ jwt, userId, at: monotonic(), expiresAt: now + lifetimeSeconds })
      return jwt
    },
  }
}
