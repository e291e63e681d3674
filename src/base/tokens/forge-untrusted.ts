import { createPublicKey } from 'node:crypto'
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import { createAuthority } from '../tls/certificates.ts'
import type { Forgery, Original } from './forge.ts'
import { hmacSigned } from './forge-unsigned.ts'
import type { SigningKey } from './signing-key.ts'

/** A signer that no service has a reason to trust, with a key for the algorithm that the service uses. */
export interface UntrustedSigner {
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
  /** A certificate for the key by an unknown authority: PEM, and the base64 of DER for `x5c`. */
  readonly certificate: string
  readonly x5c: readonly string[]
}

const asymmetric = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519',
]

/** ES256 where the service's own algorithm has no public key, or is not known. */
export async function createUntrustedSigner(serviceAlgorithm: unknown): Promise<UntrustedSigner> {
  const alg = asymmetric.find((known) => known === serviceAlgorithm) ?? 'ES256'
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const certificate = createAuthority('untrusted').certify(
    createPublicKey({ key: { ...publicJwk }, format: 'jwk' }),
    { names: ['untrusted.example'] },
  )
  const x5c = [certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')]
  return { alg, privateKey, publicJwk, certificate, x5c }
}

export type HeaderChange = Readonly<Record<string, unknown>>

/** The original, signed by the untrusted key under a changed header; undefined takes a parameter away. */
export function signAsUntrusted(
  original: Original,
  signer: UntrustedSigner,
  change: HeaderChange,
): Promise<string> {
  const key = { alg: signer.alg, key: signer.privateKey }
  return signedAs({ ...original.header, ...change }, original.payload, key)
}

/** What an untrusted signature alone can try: to pass under a key id that the service knows, does not know, or none. */
export async function forgeUntrusted(original: Original, signer: UntrustedSigner): Promise<Forgery[]> {
  const { kid } = original.header
  const cases = [
    ...(typeof kid === 'string' ? [{ name: 'under the known key id', change: {} }] : []),
    { name: 'under an unknown key id', change: { kid: 'untrusted' } },
    { name: 'without a key id', change: { kid: undefined } },
  ]
  return await Promise.all(
    cases.map(async ({ name, change }) => ({
      name: `signed by an untrusted signer ${name}`,
      token: await signAsUntrusted(original, signer, change),
      userId: original.userId,
    })),
  )
}

/** What tutorials sign with, in the order in which they are met most. */
const guesses = [
  'secret',
  'your-256-bit-secret',
  'your-secret-key',
  'changeme',
  'supersecret',
  'jwt-secret',
  'password',
]

/** Tokens signed by HMAC with what an attacker guesses, or reads off the token: its issuer, its audience, its key id. */
export function forgeByGuess(
  { header, payload, userId }: Original,
  claims: Readonly<Record<string, unknown>>,
): Forgery[] {
  const stated = Object.entries({ iss: claims['iss'], aud: claims['aud'], kid: header['kid'] })
  const secrets = [
    ...guesses.map((secret) => ({ secret, name: `the secret "${secret}"` })),
    ...stated.flatMap(([name, value]) =>
      [value]
        .flat()
        .flatMap((text) =>
          typeof text === 'string' && text !== ''
            ? [{ secret: text, name: `its ${name} as the secret` }]
            : [],
        ),
    ),
  ]
  return secrets.map(({ secret, name }) => ({
    name: `signed as HS256 with ${name}`,
    token: hmacSigned({ ...header, alg: 'HS256' }, payload, secret),
    userId,
  }))
}

/** What one thing to change is: header parameters, the payload, or both; undefined takes a parameter away. */
export interface Change {
  readonly header?: HeaderChange
  readonly payload?: Uint8Array
}

/** The original with one thing changed, properly signed with a key that the service trusts. */
export function resigned(
  original: Original,
  key: SigningKey,
  { header = {}, payload }: Change,
): Promise<string> {
  return signedAs({ ...original.header, ...header }, payload ?? original.payload, key)
}

function signedAs(header: HeaderChange, payload: Uint8Array, { alg, key }: SigningKey): Promise<string> {
  const { crit } = header
  const recognised = Array.isArray(crit) ? Object.fromEntries(crit.map((name) => [String(name), true])) : {}
  return new CompactSign(payload).setProtectedHeader({ ...header, alg }).sign(key, { crit: recognised })
}
