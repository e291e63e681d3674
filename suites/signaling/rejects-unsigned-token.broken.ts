import { createHmac } from 'node:crypto'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling, rows } from '../lib/broken-rows.ts'
import { alsoTaking, type IsTaken, type Signaling, takingBack } from './lib/variants.ts'

/** Tokens that signaling takes, beside those that are signed. */
const taken: Readonly<Record<string, IsTaken>> = {
  'accepts the algorithm none': ({ header }) => header['alg'] === 'none',
  'accepts none in capitals': ({ header: { alg } }) => alg !== 'none' && String(alg).toLowerCase() === 'none',
  'accepts none with a space behind it': ({ header }) => header['alg'] === 'none ',
  'accepts none only without a signature': ({ header, signature }) =>
    header['alg'] === 'none' && signature.length === 0,
  'accepts none with any signature': ({ header, signature }) =>
    header['alg'] === 'none' && signature.length > 0,
  'accepts a token without an algorithm': ({ header }) => !header['alg'],
  'takes an algorithm of null for none': ({ header }) => header['alg'] === null,
  'takes a list that reads as none': ({ header: { alg } }) => alg !== 'none' && String(alg) === 'none',
  'skips what it has no algorithm for': ({ header }) => !/^(ES|RS|PS|HS|Ed)/.test(String(header['alg'])),
  'accepts an empty signature': ({ signature }) => signature.length === 0,
  'accepts a signature of zeros': ({ signature }) =>
    signature.length > 1 && signature.every((byte) => byte === 0),
  'checks HMAC with an empty key': ({ header, signingInput, signature }) =>
    header['alg'] === 'HS256' && createHmac('sha256', '').update(signingInput).digest().equals(signature),
  'does not check signatures': () => true,
}

export const broken: BrokenVariants = {
  ...rows(taken, (isTaken) => ({ signaling: alsoTaking(isTaken) })),
  ...ofSignaling({
    'accepts the algorithm none, behind a gateway that answers bursts with 503': {
      ...overloadedBeyondFour(),
      ...alsoTaking(({ header }) => header['alg'] === 'none'),
    },
    'accepts two parts': {
      split(token) {
        const [header, payload, signature = ''] = token.split('.')
        return header === undefined || payload === undefined ? null : [header, payload, signature]
      },
      ...alsoTaking(({ signature }) => signature.length === 0),
    },
    'remembers header and payload that were accepted': {
      verdictKey: (credential) => credential.split('.').slice(0, 2).join('.'),
    },
  }),
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

/** A gateway that passes four clients at a time, and turns the others away unseen. */
function overloadedBeyondFour(): Signaling {
  let clients = 0
  return {
    handshake({ socket }) {
      clients += 1
      socket.once('close', () => {
        clients -= 1
      })
      return clients <= 4 ? 'upgrade' : 503
    },
  }
}
