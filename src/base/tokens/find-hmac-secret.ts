import { createHash, createHmac } from 'node:crypto'
import { secretForms } from './common-secrets.ts'
import { readToken } from './decode.ts'

/** HMAC by the `alg` that stands for it. */
const hashes: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/** The hash of a compact JWS that is signed with a shared secret; null for any other token. */
export function hmacHashOf(token: string): string | null {
  const read = readToken(token)
  return read?.format === 'JWS' ? (hashes[String(read.header['alg'])] ?? null) : null
}

/** The first of the candidates with which a compact JWS was signed, in any form that software gives a secret; or null. */
export function findHmacSecret<Candidate extends { readonly secret: string }>(
  token: string,
  candidates: Iterable<Candidate>,
): Candidate | null {
  const hash = hmacHashOf(token)
  if (hash === null) return null
  const end = token.lastIndexOf('.')
  const input = token.slice(0, end)
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  const signs = (key: Uint8Array) => createHmac(hash, key).update(input).digest().equals(signature)
  for (const candidate of candidates) {
    const forms = secretForms(candidate.secret)
    if ([...forms, ...forms.map((form) => createHash('sha256').update(form).digest())].some(signs))
      return candidate
  }
  return null
}
