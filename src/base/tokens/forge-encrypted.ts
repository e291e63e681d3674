import { CompactEncrypt, importJWK, type JWK } from 'jose'
import { omitUndefined } from '../omit-undefined.ts'
import { base64url, encodedJson, type Forgery, forged, forUser, type Original } from './forge.ts'

/** The content of a forged JWE; its name completes "a token with … encrypted …". */
interface Content {
  readonly name: string
  readonly bytes: Uint8Array
  readonly header?: Readonly<Record<string, unknown>>
}

const enc = 'A256GCM'
/** Bounds the work where a service publishes many keys. */
const mostKeys = 4

/**
 * Tokens with another user's claims that anyone can encrypt: to a published key, or under a key that is known. Encryption
 * shows who may read a token, and not who wrote it.
 */
export async function encryptedForgeries(
  original: Original,
  otherUser: string,
  published: readonly JWK[],
): Promise<Forgery[]> {
  const contents = contentsFor(original, otherUser)
  const made = await Promise.all([
    ...published.slice(0, mostKeys).map((jwk) => toPublishedKey(jwk, contents)),
    underKnownKeys(contents),
  ])
  return [...made.flat(), withManyIterations()].map(({ name, token }) => ({ name, token, userId: otherUser }))
}

type Made = Pick<Forgery, 'name' | 'token'>

function contentsFor(original: Original, otherUser: string): Content[] {
  const payload = forUser(original, otherUser)
  const unsigned = `${base64url(encodedJson({ alg: 'none', typ: 'JWT' }))}.${base64url(payload)}.`
  const nested = { cty: 'JWT' }
  return [
    { name: 'claims', bytes: payload },
    { name: 'an unsigned token', bytes: Buffer.from(unsigned), header: nested },
    { name: 'a tampered token', bytes: Buffer.from(forged(original, { payload })), header: nested },
  ]
}

const algorithms: Readonly<Record<string, readonly string[]>> = {
  EC: ['ECDH-ES', 'ECDH-ES+A256KW'],
  RSA: ['RSA-OAEP', 'RSA-OAEP-256'],
}

async function toPublishedKey(jwk: JWK, contents: readonly Content[]): Promise<Made[]> {
  const { kty = '', crv, x, y, n, e, kid } = jwk
  // A key for signatures is one of the same kind for encryption.
  const plain: JWK =
    kty === 'EC' ? { kty, crv: crv ?? '', x: x ?? '', y: y ?? '' } : { kty, n: n ?? '', e: e ?? '' }
  const made = (algorithms[kty] ?? []).flatMap((alg) =>
    contents.map(async ({ name, bytes, header }): Promise<Made[]> => {
      try {
        const key = await importJWK(plain, alg)
        const protectedHeader = omitUndefined({ alg, enc, kid, ...header })
        const token = await new CompactEncrypt(bytes).setProtectedHeader(protectedHeader).encrypt(key)
        return [{ name: `with ${name} encrypted to a published key by ${alg}`, token }]
      } catch {
        // A key that cannot encrypt is no way in.
        return []
      }
    }),
  )
  return (await Promise.all(made)).flat()
}

async function underKnownKeys(contents: readonly Content[]): Promise<Made[]> {
  const made = contents.flatMap(({ name, bytes, header }) => [
    new CompactEncrypt(bytes)
      .setProtectedHeader({ alg: 'dir', enc, ...header })
      .encrypt(new Uint8Array(32))
      .then((token) => ({ name: `with ${name} encrypted under a key of zero bytes`, token })),
    new CompactEncrypt(bytes)
      .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc, ...header })
      .setKeyManagementParameters({ p2c: 1000 })
      .encrypt(new Uint8Array())
      .then((token) => ({ name: `with ${name} encrypted under an empty password`, token })),
  ])
  return await Promise.all(made)
}

/** A service that derives the key before it looks at p2c is busy for minutes. */
function withManyIterations(): Made {
  const bytes = (count: number) => base64url(new Uint8Array(count).fill(7))
  const header = { alg: 'PBES2-HS256+A128KW', enc, p2s: bytes(16), p2c: 2_147_483_647 }
  const parts = [base64url(encodedJson(header)), bytes(40), bytes(12), bytes(64), bytes(16)]
  return { name: 'with two billion iterations in p2c', token: parts.join('.') }
}
