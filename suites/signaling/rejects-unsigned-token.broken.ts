import { createHmac } from 'node:crypto'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { takingBack } from './lib/taking-back.ts'

type Verify = NonNullable<NonNullable<Catch['signaling']>['signatureHolds']>

/** Tokens whose signature passes, beside those that are signed. */
const passes: Readonly<Record<string, Verify>> = {
  'accepts the algorithm none': ({ header }, _, usual) => header['alg'] === 'none' || usual(),
  'accepts none in capitals': ({ header }, _, usual) =>
    (header['alg'] !== 'none' && String(header['alg']).toLowerCase() === 'none') || usual(),
  'accepts none with a space behind it': ({ header }, _, usual) => header['alg'] === 'none ' || usual(),
  'accepts none only without a signature': ({ header, signature }, _, usual) =>
    (header['alg'] === 'none' && signature.length === 0) || usual(),
  'accepts none with any signature': ({ header, signature }, _, usual) =>
    (header['alg'] === 'none' && signature.length > 0) || usual(),
  'accepts a token without an algorithm': ({ header }, _, usual) => !header['alg'] || usual(),
  'takes an algorithm of null for none': ({ header }, _, usual) => header['alg'] === null || usual(),
  'takes a list that reads as none': ({ header }, _, usual) =>
    (header['alg'] !== 'none' && String(header['alg']) === 'none') || usual(),
  'skips what it has no algorithm for': ({ header }, _, usual) =>
    !/^(ES|RS|PS|HS|Ed)/.test(String(header['alg'])) || usual(),
  'accepts an empty signature': ({ signature }, _, usual) => signature.length === 0 || usual(),
  'accepts a signature of zeros': ({ signature }, _, usual) =>
    (signature.length > 1 && signature.every((byte) => byte === 0)) || usual(),
  'checks HMAC with an empty key': ({ header, signingInput, signature }, _, usual) =>
    (header['alg'] === 'HS256' && createHmac('sha256', '').update(signingInput).digest().equals(signature)) ||
    usual(),
  'checks HMAC of 512 bits with an empty key': ({ header, signingInput, signature }, _, usual) =>
    (header['alg'] === 'HS512' && createHmac('sha512', '').update(signingInput).digest().equals(signature)) ||
    usual(),
}

/** Mistakes of signaling, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['signaling']>>> = {
  'accepts the algorithm none, behind a gateway that answers bursts with 503': {
    ...overloadedBeyond(4),
    signatureHolds: ({ header }, _, usual) => header['alg'] === 'none' || usual(),
  },
  'accepts two parts': {
    split(token) {
      const [header, payload, signature = ''] = token.split('.')
      return header === undefined || payload === undefined ? null : [header, payload, signature]
    },
    signatureHolds: ({ signature }, _, usual) => signature.length === 0 || usual(),
  },
  'does not check signatures': { signatureHolds: () => true },
  'remembers header and payload that were accepted': {
    verdictKey: (credential) => credential.split('.').slice(0, 2).join('.'),
  },
  'remembers the payload that was accepted': { verdictKey: (credential) => credential.split('.')[1] ?? null },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (signaling) => ({ signaling })),
  ...rows(passes, (signatureHolds) => ({ signaling: { signatureHolds } })),
  'welcomes, and rejects 100 ms later': takingBack({ as: 'warn' }),
  'accepts the algorithm none after a look at it that takes longer than clients wait': {
    signaling: {
      async signatureHolds({ header }, _, usual) {
        if (header['alg'] !== 'none') return usual()
        await new Promise((resolve) => setTimeout(resolve, 6_000))
        return true
      },
    },
    configuration: { signaling: { profile: { timeoutMs: 8_000 } } },
  },
}

/** A gateway that passes so many clients at a time, and turns the others away unseen. */
function overloadedBeyond(most: number): Pick<Required<NonNullable<Catch['signaling']>>, 'handshake'> {
  let clients = 0
  return {
    handshake({ socket }) {
      clients += 1
      socket.once('close', () => {
        clients -= 1
      })
      return clients <= most ? 'upgrade' : 503
    },
  }
}
