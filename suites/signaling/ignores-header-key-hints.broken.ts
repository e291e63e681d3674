import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  compactVerify,
  createRemoteJWKSet,
  decodeJwt,
  importJWK,
  importX509,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { each, rows, warning } from '../lib/broken-rows.ts'
import type { Signaling } from './lib/variants.ts'

type KeyFor = NonNullable<Signaling['keyFor']>
type Header = Parameters<KeyFor>[0]
type Key = Awaited<ReturnType<KeyFor>>

const fromJwk = ({ alg, jwk }: Header) => importJWK(jwk as JWK, String(alg)) as Promise<Key>
const fromCertificate = (pem: string, alg: unknown) => importX509(pem, String(alg)) as Promise<Key>
const fromSet = (url: unknown, { alg }: Header) =>
  createRemoteJWKSet(new URL(String(url)))({ alg: String(alg) }) as Promise<Key>

/** The key that a service takes by a hint of the header; null where the header has none. */
const hints: Readonly<Record<string, (header: Header) => Promise<Key> | null>> = {
  'trusts a key that the header holds under the known key id': (header) =>
    header['jwk'] === undefined || [undefined, 'untrusted'].includes(header['kid'] as string)
      ? null
      : fromJwk(header),
  'trusts a key that the header holds where there is no key id': (header) =>
    header['jwk'] !== undefined && header['kid'] === undefined ? fromJwk(header) : null,
  'trusts a certificate that the header holds': ({ x5c, alg }) =>
    Array.isArray(x5c)
      ? fromCertificate(`-----BEGIN CERTIFICATE-----\n${x5c[0]}\n-----END CERTIFICATE-----`, alg)
      : null,
  'fetches keys from where jku points': (header) =>
    header['jku'] === undefined ? null : fromSet(header['jku'], header),
  'fetches the certificate that x5u points to': ({ x5u, alg }) =>
    x5u === undefined
      ? null
      : fetch(String(x5u))
          .then((answer) => answer.text())
          .then((pem) => fromCertificate(pem, alg)),
  'fetches keys from an address in the key id': (header) =>
    URL.canParse(String(header['kid'])) ? fromSet(header['kid'], header) : null,
}

/** The secret that a service of HMAC looks up by the key id. */
const secrets: Readonly<Record<string, (kid: string) => Promise<Buffer> | Buffer | string>> = {
  'reads the key from a file that the key id names': (kid) => readFile(join('/var/lib/keys', kid)),
  'reads the key from the path that the key id is': (kid) => readFile(kid),
  'cuts the path in the key id at a zero byte': (kid) =>
    readFile(join('/var/lib/keys', kid.slice(0, kid.indexOf('\0')))),
  'asks a database for the key, by text': (kid) =>
    /^' UNION SELECT '([^']*)' -- $/.exec(kid)?.[1] ?? 'unguessable',
  'takes an unknown key id for an empty key': (kid) => (kid === 'no-such-key' ? '' : 'unguessable'),
  'takes an empty key id for an empty key': (kid) => (kid === '' ? '' : 'unguessable'),
  'looks the key up in an object with a prototype': (kid) =>
    kid === '__proto__' ? String({}) : 'unguessable',
}

export const broken: BrokenVariants = {
  ...rows(hints, (keyOf) => ({
    signaling: { keyFor: (header, trust) => keyOf(header) ?? trust.key(header) },
  })),
  'fetches keys from the issuer that the token names': fetchingFromIssuer((issuer) =>
    createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`)),
  ),
  'asks the issuer that the token names where its keys are': fetchingFromIssuer(async (issuer) => {
    const found = await fetch(`${issuer}/.well-known/openid-configuration`)
    return createRemoteJWKSet(new URL(((await found.json()) as { jwks_uri: string }).jwks_uri))
  }),
  ...warning(
    each('fetches what * points to, and does not use it', ['jku', 'x5u'], (name) => ({
      signaling: {
        async keyFor(header, trust) {
          if (header[name] !== undefined) await fetch(String(header[name]))
          return trust.key(header)
        },
      },
    })),
  ),
  ...rows(secrets, (secretFor) => ({
    signaling: {
      async signatureHolds({ header, signingInput, signature }, _, usual) {
        if (header['alg'] !== 'HS256') return usual()
        const secret = await secretFor(String(header['kid']))
        return createHmac('sha256', secret).update(signingInput).digest().equals(signature)
      },
    },
  })),
}

/** A service that takes any issuer, and its keys from where that publishes them; its own it has from the configuration. */
function fetchingFromIssuer(keysOf: (issuer: string) => JWTVerifyGetKey | Promise<JWTVerifyGetKey>): Catch {
  return {
    signaling: {
      issuerHolds: () => true,
      async signatureHolds({ token }, _, usual) {
        if (await usual()) return true
        const { iss = '' } = decodeJwt(token)
        await compactVerify(token, await keysOf(iss))
        return true
      },
    },
  }
}
