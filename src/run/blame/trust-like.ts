import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type CryptoKey, compactVerify, importJWK } from 'jose'
import {
  type SignalingPolicy,
  referenceSignalingPolicy as usual,
} from '../../../fixtures/signaling/policy.ts'
import type { HttpClient } from '../../base/http/client.ts'
import { userAt } from '../../base/tokens/find-user-claim.ts'
import { loadJwks } from '../../base/tokens/jwks.ts'
import type { TokenConfiguration } from '../../base/tokens/token-configuration.ts'
import type { TokenSample } from './token-sample.ts'

/** Imports a key for the algorithm of a token. */
export type VerifyingKey = (alg: string) => Promise<KeyObject | CryptoKey | Uint8Array>

/**
 * Loads the keys that verify the tokens of the implementation: its published keys, and the key that it
 * trusts.
 */
export async function loadVerifyingKeys(
  { jwks, signWith }: TokenConfiguration,
  http: HttpClient,
): Promise<VerifyingKey[]> {
  const published = jwks === undefined ? [] : await loadJwks(jwks, http)
  const keys: VerifyingKey[] = published.map((jwk) => (alg) => importJWK(jwk, alg))
  if (signWith === undefined) return keys
  if ('secret' in signWith) {
    const secret = new TextEncoder().encode(signWith.secret)
    return [...keys, () => Promise.resolve(secret)]
  }
  const text = await readFile(signWith.privateKey, 'utf8')
  const key = text.trimStart().startsWith('{')
    ? createPublicKey({ key: JSON.parse(text), format: 'jwk' })
    : createPublicKey(text)
  return [...keys, () => Promise.resolve(key)]
}

/**
 * How reference signaling verifies tokens of the sample's form: by these keys alone. What the specification leaves open
 * (`typ`, `iss`, `aud`, the claim of the user) is as in the sample.
 */
export function verifyLike(
  sample: TokenSample | null,
  keys: readonly VerifyingKey[],
): Partial<SignalingPolicy> {
  const { header = {}, claims: sampled = null } = sample?.read ?? {}
  const isLike = (value: unknown, other: unknown) => JSON.stringify(value) === JSON.stringify(other)
  const paths = sample === null ? ["$['sub']"] : sample.userIdPaths
  return {
    signatureHolds: async ({ token, header: { alg } }) => {
      const verified = keys.map(async (key) => compactVerify(token, await key(String(alg))))
      return (await Promise.allSettled(verified)).some(({ status }) => status === 'fulfilled')
    },
    typeHolds: (given) => isLike(given['typ'], header['typ']) || usual.typeHolds(given),
    issuerHolds: ({ iss }) => sampled?.['iss'] === undefined || isLike(iss, sampled['iss']),
    audienceHolds: (claims) => isLike(claims['aud'], sampled?.['aud']) || usual.audienceHolds(claims),
    // Several claims may be the userId of one user and not of another: the declaration has to be one of them.
    userOf: (claims) => JSON.stringify(paths.map((path) => userAt(claims, path))),
    joinsAs: (users, declared) =>
      declared !== null && (JSON.parse(users) as unknown[]).includes(declared) ? declared : null,
  }
}
