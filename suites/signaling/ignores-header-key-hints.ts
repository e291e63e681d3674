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
import { Untested } from '../../src/base/inconclusive.ts'
import { withKeyId, withKeyInHeader } from '../../src/base/tokens/forge-headers.ts'
import { createUntrustedSigner, type UntrustedSigner } from '../../src/base/tokens/forge-untrusted.ts'
import { type Catch, defineCheck } from '../../src/requirement/define.ts'
import { type CallbackListener, startCallbackListener } from './lib/callback-listener.ts'
import { fetchUnseen, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'

const rule: Rule = {
  clause: '1.3',
  fix: 'Take keys from configuration only and use kid only to select among them.',
}

export default defineCheck({
  id: 'SIG-23',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: "The service issues the token: a key that the token brings along is not the service's (1.3).",
  title: 'ignores jwk, jku, x5u and kid key hints',
  why: 'The client writes the header: a key in it, or at a URL in it, proves nothing.',
  how: {
    does: [
      "Signs a fresh token's claims with an untrusted key and puts that key into the header (jwk, x5c), names a URL to fetch it from (jku, x5u, a URL as kid, or an iss that publishes it at /.well-known/jwks.json), or chooses a kid that leads to a predictable key: empty, /dev/null, a path, SQL.",
    ],
    fails: ['A success sign.'],
    warns: [
      'A success sign that the service takes back at once.',
      "A request to the suite's listener, since it shows that clients can send the service to any URL.",
    ],
    untested: [
      'The URLs without signaling.callbackUrl, at which the service reaches that listener: they are offered, and not judged as safe.',
    ],
  },
  mints: 3,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, configuration, http }, judge) {
    const { original } = await fetchUnseen(callingTokens)
    const signer = await createUntrustedSigner(original.header['alg'])
    const { callbackUrl } = signaling.configuration
    await using listener = await listenFor(signer, callbackUrl)
    const isReachable = await listener.isReachable(http)
    const forgeries = [...(await withKeyInHeader(original, signer, listener)), ...withKeyId(original)]
    await judge.sandwich(signaling.control, () => mustReject(toAttacks(forgeries), signaling, judge, rule))
    judge.advisory(listener.requestedPaths().length === 0, {
      saw: `${listener.requestedPaths().length} requests to URLs that only a forged token named`,
      expected: 'no request',
      fix: 'Never fetch jku, x5u, a kid or an iss that is not configured.',
    })
    // A bait that the service cannot fetch shows nothing.
    if (listener.requestedPaths().length > 0) return
    const declared = configuration.absent.find(({ what }) => what === 'callback')
    if (declared !== undefined) judge.notApplicable(`declared absent (callback): ${declared.reason}`)
    else if (callbackUrl === undefined)
      judge.untested(
        'jku, x5u, a URL as kid and iss need signaling.callbackUrl, where the service reaches the suite',
      )
    else if (!isReachable) judge.untested("signaling.callbackUrl does not lead to the suite's listener")
  },
  catches: {
    'trusts a key that the header holds': {
      signaling: {
        keyFor: async (header, trust) =>
          header['jwk'] === undefined
            ? trust.key(header)
            : await importJWK(header['jwk'] as JWK, String(header['alg'])),
      },
    },
    'trusts a key that the header holds under the known key id': {
      signaling: {
        keyFor: async (header, trust) =>
          header['jwk'] === undefined || header['kid'] === undefined || header['kid'] === 'stranger'
            ? trust.key(header)
            : await importJWK(header['jwk'] as JWK, String(header['alg'])),
      },
    },
    'trusts a key that the header holds where there is no key id': {
      signaling: {
        keyFor: async (header, trust) =>
          header['jwk'] === undefined || header['kid'] !== undefined
            ? trust.key(header)
            : await importJWK(header['jwk'] as JWK, String(header['alg'])),
      },
    },
    'trusts a certificate that the header holds': {
      signaling: {
        keyFor: (header, trust) =>
          Array.isArray(header['x5c'])
            ? importX509(pemOf(String(header['x5c'][0])), String(header['alg']))
            : trust.key(header),
      },
    },
    'fetches keys from where jku points': {
      signaling: {
        keyFor: (header, trust) =>
          header['jku'] === undefined
            ? trust.key(header)
            : createRemoteJWKSet(new URL(String(header['jku'])))({ alg: String(header['alg']) }),
      },
    },
    'fetches the certificate that x5u points to': {
      signaling: {
        async keyFor(header, trust) {
          if (header['x5u'] === undefined) return trust.key(header)
          const answer = await fetch(String(header['x5u']))
          return importX509(await answer.text(), String(header['alg']))
        },
      },
    },
    'fetches keys from an address in the key id': {
      signaling: {
        keyFor: (header, trust) =>
          URL.canParse(String(header['kid']))
            ? createRemoteJWKSet(new URL(String(header['kid'])))({ alg: String(header['alg']) })
            : trust.key(header),
      },
    },
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
  },
})

async function listenFor(
  signer: UntrustedSigner,
  callbackUrl: string | undefined,
): Promise<CallbackListener> {
  try {
    return await startCallbackListener(signer, callbackUrl)
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException
    throw new Untested(`cannot listen on the port of signaling.callbackUrl: ${code}`)
  }
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
