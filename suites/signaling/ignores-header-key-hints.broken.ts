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
import { rows } from '../lib/broken-rows.ts'

type KeyFor = NonNullable<NonNullable<Catch['signaling']>['keyFor']>

/** Where the key of a signature comes from. */
const sources: Readonly<Record<string, KeyFor>> = {
  'trusts a key that the header holds': async (header, trust) =>
    header['jwk'] === undefined
      ? trust.key(header)
      : await importJWK(header['jwk'] as JWK, String(header['alg'])),
  'trusts a key that the header holds under the known key id': async (header, trust) =>
    header['jwk'] === undefined || header['kid'] === undefined || header['kid'] === 'stranger'
      ? trust.key(header)
      : await importJWK(header['jwk'] as JWK, String(header['alg'])),
  'trusts a key that the header holds where there is no key id': async (header, trust) =>
    header['jwk'] === undefined || header['kid'] !== undefined
      ? trust.key(header)
      : await importJWK(header['jwk'] as JWK, String(header['alg'])),
  'trusts a certificate that the header holds': (header, trust) =>
    Array.isArray(header['x5c'])
      ? importX509(pemOf(String(header['x5c'][0])), String(header['alg']))
      : trust.key(header),
  'fetches keys from where jku points': (header, trust) =>
    header['jku'] === undefined
      ? trust.key(header)
      : createRemoteJWKSet(new URL(String(header['jku'])))({ alg: String(header['alg']) }),
  async 'fetches the certificate that x5u points to'(header, trust) {
    if (header['x5u'] === undefined) return trust.key(header)
    const answer = await fetch(String(header['x5u']))
    return importX509(await answer.text(), String(header['alg']))
  },
  'fetches keys from an address in the key id': (header, trust) =>
    URL.canParse(String(header['kid']))
      ? createRemoteJWKSet(new URL(String(header['kid'])))({ alg: String(header['alg']) })
      : trust.key(header),
}

export const broken: BrokenVariants = {
  ...rows(sources, (keyFor) => ({ signaling: { keyFor } })),
  'fetches keys from the issuer that the token names': fetchingFromIssuer((issuer) =>
    createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`)),
  ),
  'asks the issuer that the token names where its keys are': fetchingFromIssuer(async (issuer) => {
    const found = await fetch(`${issuer}/.well-known/openid-configuration`)
    return createRemoteJWKSet(new URL(((await found.json()) as { jwks_uri: string }).jwks_uri))
  }),
  'fetches what jku points to, and does not use it': {
    signaling: {
      async keyFor(header, trust) {
        if (header['jku'] !== undefined) await fetch(String(header['jku']))
        return trust.key(header)
      },
    },
    as: 'warn',
  },
  'fetches what x5u points to, and does not use it': {
    signaling: {
      async keyFor(header, trust) {
        if (header['x5u'] !== undefined) await fetch(String(header['x5u']))
        return trust.key(header)
      },
    },
    as: 'warn',
  },
  'reads the key from a file that the key id names': selectSecret((kid) =>
    readFile(join('/var/lib/keys', kid)),
  ),
  'reads the key from the path that the key id is': selectSecret((kid) => readFile(kid)),
  'cuts the path in the key id at a zero byte': selectSecret((kid) =>
    readFile(join('/var/lib/keys', kid.slice(0, kid.indexOf('\0')))),
  ),
  'asks a database for the key, by text': selectSecret((kid) =>
    Promise.resolve(Buffer.from(/^' UNION SELECT '([^']*)' -- $/.exec(kid)?.[1] ?? 'unguessable')),
  ),
  'takes an unknown key id for an empty key': selectSecret((kid) =>
    Promise.resolve(Buffer.from(kid === 'no-such-key' ? '' : 'unguessable')),
  ),
  'takes an empty key id for an empty key': selectSecret((kid) =>
    Promise.resolve(Buffer.from(kid === '' ? '' : 'unguessable')),
  ),
  'looks the key up in an object with a prototype': selectSecret((kid) =>
    Promise.resolve(Buffer.from(kid === '__proto__' ? String({}) : 'unguessable')),
  ),
}

function pemOf(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`
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

/** A service that accepts HMAC and looks the secret up by the key id. */
function selectSecret(secretFor: (kid: string) => Promise<Uint8Array>): Catch {
  return {
    signaling: {
      async signatureHolds({ header, signingInput, signature }, _, usual) {
        if (header['alg'] !== 'HS256') return usual()
        const secret = await secretFor(String(header['kid']))
        return createHmac('sha256', secret).update(signingInput).digest().equals(signature)
      },
    },
  }
}
