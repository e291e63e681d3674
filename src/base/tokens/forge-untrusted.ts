import { createPublicKey } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import { createAuthority } from '../tls/certificates.ts'
import { type Change, type Forgery, type HeaderChange, type Original, signingInput } from './forge.ts'
import { hmacSigned, signInput } from './sign-input.ts'
import type { SigningKey } from './signing-key.ts'
import { asymmetric } from './token-configuration.ts'

/** A signer that no service has a reason to trust, with a key for the algorithm that the service uses. */
export interface UntrustedSigner {
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
  /** A certificate for the key by an unknown authority: PEM, and the base64 of DER for `x5c`. */
  readonly certificate: string
  readonly x5c: readonly string[]
}

/** ES256 where the service's own algorithm has no public key, or is not known. */
export async function createUntrustedSigner(serviceAlgorithm: unknown): Promise<UntrustedSigner> {
  const alg = asymmetric.options.find((known) => known === serviceAlgorithm) ?? 'ES256'
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const certificate = createAuthority('untrusted').certify(
    createPublicKey({ key: { ...publicJwk }, format: 'jwk' }),
    { names: ['untrusted.example'] },
  )
  const x5c = [certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')]
  return { alg, privateKey, publicJwk, certificate, x5c }
}

export function signAsUntrusted(
  original: Original,
  { alg, privateKey }: UntrustedSigner,
  change: Change,
): Promise<string> {
  return resigned(original, { alg, key: privateKey }, change)
}

/** Tokens with nothing but an untrusted signature, under a known key id, an unknown one, or none. */
export async function forgeUntrusted(original: Original, signer: UntrustedSigner): Promise<Forgery[]> {
  const { kid } = original.header
  const cases: readonly { readonly name: string; readonly header: HeaderChange }[] = [
    ...(typeof kid === 'string' ? [{ name: 'under the known key id', header: {} }] : []),
    { name: 'under an unknown key id', header: { kid: 'untrusted' } },
    { name: 'without a key id', header: { kid: undefined } },
  ]
  return await Promise.all(
    cases.map(async ({ name, header }) => ({
      name: `signed by an untrusted signer ${name}`,
      token: await signAsUntrusted(original, signer, { header }),
      userId: original.userId,
    })),
  )
}

/** Secrets that tutorials sign with, most common first. */
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
export function forgeByGuess(original: Original, claims: Readonly<Record<string, unknown>>): Forgery[] {
  const stated = Object.entries({ iss: claims['iss'], aud: claims['aud'], kid: original.header['kid'] })
  const input = signingInput(original, { header: { alg: 'HS256' } })
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
    token: hmacSigned(input, 'HS256', secret),
    userId: original.userId,
  }))
}

/** The original with one thing changed, properly signed with this key. */
export function resigned(original: Original, key: SigningKey, change: Change): Promise<string> {
  const header = original.header['alg'] === key.alg ? change.header : { ...change.header, alg: key.alg }
  return signInput(signingInput(original, { ...change, header }), key)
}
