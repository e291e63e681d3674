import { CompactSign } from 'jose'
import type { MintPolicy } from '../../../fixtures/mint/policy.ts'
import { omitUndefined } from '../../base/omit-undefined.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { TokenSample } from './token-sample.ts'

/**
 * How the reference mint issues tokens in the form of the sample, which differ in the user, the times and the signature.
 * Where no claim of the sample is its user, `sub` is.
 */
export function issueLike(sample: TokenSample | null, key: SigningKey | null): Partial<MintPolicy> {
  const { header, claims = null } = sample?.read ?? {}
  const form =
    sample === null || header === undefined || claims === null ? {} : formOf(sample, header, claims)
  if (key === null) return form
  return {
    ...form,
    token: (signed, named) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(signed)))
        .setProtectedHeader({ ...named, alg: key.alg })
        .sign(key.key),
  }
}

function formOf(
  { userId, userIdPaths }: TokenSample,
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): Partial<MintPolicy> {
  return {
    header: ({ algorithm }) => ({ ...header, alg: algorithm }),
    claims: (grant, { issuedAt, expiresAt }) => {
      const times = { iat: issuedAt, nbf: issuedAt, jti: crypto.randomUUID() }
      return {
        ...withUser(claims, userId, grant.userId),
        ...omitUndefined({ sub: userIdPaths.length === 0 ? grant.userId : undefined }),
        ...Object.fromEntries(Object.entries(times).filter(([name]) => name in claims)),
        exp: expiresAt,
      }
    },
  }
}

/** How it answers as the mint of the sample does, so that a backend finds the token where it looks for it. */
export function answerLike(sample: TokenSample | null): Partial<MintPolicy> {
  const { answer, jwt } = sample ?? {}
  if (answer == null || jwt === undefined) return {}
  const { status, contentType, body } = answer
  return {
    success: (token) => ({
      status,
      headers: { 'content-type': contentType, 'cache-control': 'no-store' },
      body: body.replaceAll(jwt, () => token),
    }),
  }
}

/** The claims with every string that is the one user replaced by the other. */
function withUser(
  claims: Readonly<Record<string, unknown>>,
  from: string,
  to: string,
): Record<string, unknown> {
  const replaced = (value: unknown): unknown => {
    if (value === from) return to
    if (Array.isArray(value)) return value.map(replaced)
    return isRecord(value) ? withUser(value, from, to) : value
  }
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, replaced(value)]))
}
