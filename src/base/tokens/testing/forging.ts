import { type CryptoKey, compactVerify, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { expect } from 'vitest'
import { type Forgery, type Original, takenApart } from '../forge.ts'

/** A token of a service, its key, and what is asked of every forgery of it. */

export const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
export const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid: 'k1' }

export const sign = (claims: Record<string, unknown>) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'JWT' })
    .setExpirationTime('5m')
    .sign(privateKey)

export function apart(text: string, userId = 'ann'): Original {
  const found = takenApart(text, userId)
  if (found === null) throw new Error('not a JWS')
  return found
}

export const token = await sign({ sub: 'ann', jti: 'abc-def' })
export const original = apart(token)

export async function holds(forged: string, key: CryptoKey | Uint8Array = publicKey): Promise<boolean> {
  try {
    await compactVerify(forged, key)
    return true
  } catch {
    return false
  }
}

export async function expectForged(forgeries: readonly Forgery[]): Promise<void> {
  expect(forgeries.length).toBeGreaterThan(0)
  expect(new Set(forgeries.map(({ name }) => name)).size).toBe(forgeries.length)
  expect(new Set(forgeries.map((forgery) => forgery.token)).size).toBe(forgeries.length)
  for (const forgery of forgeries)
    expect([forgery.name, await holds(forgery.token)]).toEqual([forgery.name, false])
}
