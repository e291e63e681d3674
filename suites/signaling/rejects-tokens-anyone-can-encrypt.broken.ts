import { createDecipheriv, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { compactDecrypt, decodeProtectedHeader, type JWK } from 'jose'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'

/** The key that a service decrypts with, and what it takes of the content. */
const decryptors: Readonly<Record<string, Decrypting>> = {
  'takes claims that are encrypted to its key': { key: 'EC', takes: 'claims' },
  'takes claims that are encrypted to its RSA key': { key: 'RSA', algorithm: 'RSA-OAEP', takes: 'claims' },
  'takes claims that are encrypted to its key with a wrapped key': {
    key: 'EC',
    algorithm: 'ECDH-ES+A256KW',
    takes: 'claims',
  },
  'takes an unsigned token within an encrypted one': { key: 'EC', takes: 'unsigned' },
  'verifies no signature within an encrypted token': { key: 'EC', takes: 'tampered' },
  'has a key of zero bytes': { key: new Uint8Array(32), takes: 'claims' },
  'has a key of zero bytes, and verifies no signature within': {
    key: new Uint8Array(32),
    takes: 'unsigned',
  },
  'has an empty password': { key: new Uint8Array(), takes: 'claims' },
}

export const broken: BrokenVariants = {
  ...rows(decryptors, decrypting),
  'takes what it has inflated': inflating('takes it'),
  'inflates until it has no memory left': inflating('is down'),
}

interface Decrypting {
  /** A pair of which the public key is published, or a secret. */
  readonly key: 'EC' | 'RSA' | Uint8Array
  /** Any that fits the key where absent. */
  readonly algorithm?: string
  readonly takes: 'claims' | 'unsigned' | 'tampered'
}

/** A service that also decrypts tokens, and takes what is in them for issued. */
function decrypting({ key, algorithm, takes }: Decrypting): Catch {
  let pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined
  const keys = () => {
    pair ??=
      key === 'RSA'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return pair
  }
  const published = (): JWK[] => {
    if (typeof key !== 'string') return []
    return [{ ...(keys().publicKey.export({ format: 'jwk' }) as JWK), kid: 'encryption', use: 'enc' }]
  }
  const within = new Set<string>()
  return {
    mint: {
      jwks: ({ publicJwk }) => ({ keys: [...(publicJwk === null ? [] : [publicJwk]), ...published()] }),
    },
    signaling: {
      async open(credential, usual) {
        if (credential.split('.').length !== 5) return usual()
        const { alg } = decodeProtectedHeader(credential)
        if (algorithm !== undefined && alg !== algorithm) return usual()
        // The reference does not wait for two billion iterations either.
        const { plaintext } = await compactDecrypt(
          credential,
          typeof key === 'string' ? keys().privateKey : key,
          {
            keyManagementAlgorithms: [String(alg)],
            maxPBES2Count: 2_000,
          },
        )
        const text = new TextDecoder().decode(plaintext)
        if (text.startsWith('{')) return takes === 'claims' ? JSON.parse(text) : usual()
        within.add(text)
        return text
      },
      signatureHolds({ token, header }, _, usual) {
        if (!within.has(token)) return usual()
        return takes === (header['alg'] === 'none' ? 'unsigned' : 'tampered')
      },
    },
  }
}

/** A service that opens tokens under a key of zero bytes, and inflates what is in them: it takes that, or ends with a megabyte. */
function inflating(course: 'takes it' | 'is down'): Catch {
  let isDown = false
  return {
    signaling: {
      handshake: () => (isDown ? 'reset' : 'upgrade'),
      open(credential, usual) {
        const [header = '', key, iv = '', ciphertext = '', tag = ''] = credential.split('.')
        if (key !== '' || tag === '') return usual()
        const { alg, zip } = JSON.parse(Buffer.from(header, 'base64url').toString())
        if (alg !== 'dir' || zip !== 'DEF') return usual()
        const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.from(iv, 'base64url'))
        decipher.setAAD(Buffer.from(header))
        decipher.setAuthTag(Buffer.from(tag, 'base64url'))
        const content = Buffer.concat([
          decipher.update(Buffer.from(ciphertext, 'base64url')),
          decipher.final(),
        ])
        const { length } = inflateRawSync(content)
        if (course === 'takes it') return Promise.resolve({ sub: 'anyone', exp: 253_402_300_000 })
        isDown = length > 1024 * 1024
        return usual()
      },
      ...(course === 'takes it' && { joinsAs: (user: string) => user }),
    },
    ...(course === 'is down' && { configuration: { limits: { patienceSeconds: 1 } }, as: 'warn' }),
  }
}
