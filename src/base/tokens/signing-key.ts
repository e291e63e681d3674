import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  type CryptoKey,
  compactVerify,
  errors,
  generateKeyPair,
  importJWK,
  importPKCS8,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { TwotokenError } from '../errors.ts'
import type { TokenConfiguration } from './token-configuration.ts'

export interface SigningKey {
  readonly alg: string
  readonly key: CryptoKey | Uint8Array
}

/** A key that a test deployment of signaling trusts (`token.signWith`). */
export interface TestKey extends SigningKey {
  /** Says whether a compact JWS was signed with this key. True for an unknown algorithm, where this cannot be determined. */
  hasSigned(jwt: string): Promise<boolean>
}

/** Reads a PKCS#8 PEM or JWK file, or takes the shared secret. */
export async function loadSigningKey(
  signWith: NonNullable<TokenConfiguration['signWith']>,
): Promise<TestKey> {
  const { alg } = signWith
  if ('secret' in signWith) {
    const key = new TextEncoder().encode(signWith.secret)
    return { alg, key, hasSigned: signedWith(key) }
  }
  try {
    const text = await readFile(signWith.privateKey, 'utf8')
    if (!text.trimStart().startsWith('{'))
      return { alg, key: await importPKCS8(text, alg), hasSigned: signedWith(createPublicKey(text)) }
    const jwk = JSON.parse(text)
    const hasSigned = signedWith(createPublicKey({ key: jwk, format: 'jwk' }))
    return { alg, key: await importJWK(jwk, alg), hasSigned }
  } catch (error) {
    const message = `token.signWith.privateKey is not a readable PKCS#8 PEM or JWK file for ${alg}: ${signWith.privateKey}`
    throw new TwotokenError('configuration', message, error)
  }
}

function signedWith(key: KeyObject | Uint8Array): TestKey['hasSigned'] {
  return (jwt) =>
    compactVerify(jwt, key).then(
      () => true,
      (error: unknown) => error instanceof errors.JOSENotSupported,
    )
}

/** A key that no service knows. */
export async function createSigningKey(): Promise<SigningKey> {
  return { alg: 'ES256', key: (await generateKeyPair('ES256')).privateKey }
}

/** A calling token as a mint would issue it: each has an id. Times are seconds since 1970. */
export async function signCallingToken(
  { alg, key }: SigningKey,
  userId: string,
  claims: JWTPayload & { readonly iat: number; readonly exp: number },
): Promise<string> {
  return await new SignJWT({ sub: userId, userId, ...claims, jti: crypto.randomUUID() })
    .setProtectedHeader({ alg, typ: 'JWT' })
    .sign(key)
}
