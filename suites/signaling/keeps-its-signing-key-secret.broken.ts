import { createPrivateKey } from 'node:crypto'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { bearerOf } from '../mint/lib/variant-answers.ts'
import { signHs256 } from './keeps-its-signing-key-secret.ts'

export const broken: BrokenVariants = {
  'signs with a word': signingWith(() => 'secret'),
  'signs with a word in capitals': signingWith(() => 'CHANGEME'),
  'signs with what base64 makes of a word': signingWith(() => Buffer.from('password', 'base64')),
  'signs with the API key': signingWith((apiKey) => apiKey),
  'signs with the API key without its prefix': signingWith((apiKey) => apiKey.replace('ac_live_', '')),
  'signs with the key id': signingWith((_, kid) => kid),
  'publishes its private key': {
    mint: {
      jwks: ({ publicJwk, signWith }) => ({
        keys:
          'privateKey' in signWith
            ? [{ ...publicJwk, ...createPrivateKey(signWith.privateKey).export({ format: 'jwk' }) }]
            : [],
      }),
    },
    as: 'fail',
  },
}

/** A mint that derives the signing secret from the caller's API key and the key id. */
function signingWith(secretOf: (apiKey: string, kid: string) => string | Uint8Array): Catch {
  let apiKey = ''
  return {
    mint: {
      presentedKey({ headers }) {
        apiKey = bearerOf(headers.authorization) ?? ''
        return apiKey
      },
      token: (claims, header, { kid }) => signHs256(header, claims, secretOf(apiKey, kid)),
    },
    configuration: { token: { jwks: null, signWith: null } },
    as: 'warn',
  }
}
