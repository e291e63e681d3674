import { createHmac, subtle } from 'node:crypto'
import { base64url } from './forge.ts'
import type { SigningKey } from './signing-key.ts'

/** A compact JWS: the signing input as it stands, and its signature. No serialiser of headers comes between. */
export async function signInput(input: string, { alg, key }: SigningKey): Promise<string> {
  if (key instanceof Uint8Array) return hmacSigned(input, alg, key)
  const bits = Number(alg.slice(2))
  const algorithm = { name: key.algorithm.name, hash: `SHA-${bits}`, saltLength: bits / 8 }
  const signature = await subtle.sign(algorithm, key, Buffer.from(input))
  return `${input}.${base64url(new Uint8Array(signature))}`
}

/** Signed by HMAC with any bytes as the key, none included; `alg` is one of HS256, HS384 and HS512. */
export function hmacSigned(input: string, alg: string, key: Uint8Array | string): string {
  const signature = createHmac(`sha${alg.slice(2)}`, key)
    .update(input)
    .digest()
  return `${input}.${base64url(signature)}`
}
