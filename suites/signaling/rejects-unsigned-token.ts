import { createHmac } from 'node:crypto'
import { unsigned } from '../../src/base/tokens/forge-unsigned.ts'
import { type Catch, defineCheck } from '../../src/requirement/define.ts'
import { takingBack } from './lib/taking-back.ts'
import { fetchSpecimens, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'

const rule: Rule = { clause: '1.3', fix: 'Require a signature by a fixed list of algorithms without "none".' }

export default defineCheck({
  id: 'SIG-20',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: 'The token proves that the client may join as a userId: what anyone can write proves nothing (1.3).',
  title: 'rejects unsigned tokens',
  why: 'Only its signature proves that a token comes from the mint: without one, any client can write a token for any user.',
  how: {
    does: [
      'Keeps the header and claims of an accepted and of an unused token and removes the signature: alg "none" in several spellings, no alg, an empty, stripped or zeroed signature, and HMAC with an empty key.',
      'For encrypted tokens, tries the same with a made-up JWS.',
      'The controls before and after must be accepted.',
    ],
    fails: ['A success sign for any other token.'],
    warns: ['A success sign that the service takes back at once.'],
  },
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling }, judge) {
    await judge.sandwich(signaling.control, async () => {
      const originals = await fetchSpecimens(callingTokens, signaling)
      const attacks = originals.flatMap(({ original, name }) => toAttacks(unsigned(original), name))
      await mustReject(attacks, signaling, judge, rule)
    })
  },
  catches: {
    'welcomes, and rejects 100 ms later': takingBack({ as: 'warn' }),
    'accepts the algorithm none, behind a gateway that answers bursts with 503': {
      signaling: {
        ...overloadedBeyond(4),
        signatureHolds: ({ header }, _, usual) => header['alg'] === 'none' || usual(),
      },
    },
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
    'accepts the algorithm none': {
      signaling: { signatureHolds: ({ header }, _, usual) => header['alg'] === 'none' || usual() },
    },
    'accepts none in capitals': {
      signaling: {
        signatureHolds: ({ header }, _, usual) =>
          (header['alg'] !== 'none' && String(header['alg']).toLowerCase() === 'none') || usual(),
      },
    },
    'accepts none with a space behind it': {
      signaling: { signatureHolds: ({ header }, _, usual) => header['alg'] === 'none ' || usual() },
    },
    'accepts none only without a signature': {
      signaling: {
        signatureHolds: ({ header, signature }, _, usual) =>
          (header['alg'] === 'none' && signature.length === 0) || usual(),
      },
    },
    'accepts none with any signature': {
      signaling: {
        signatureHolds: ({ header, signature }, _, usual) =>
          (header['alg'] === 'none' && signature.length > 0) || usual(),
      },
    },
    'accepts a token without an algorithm': {
      signaling: { signatureHolds: ({ header }, _, usual) => !header['alg'] || usual() },
    },
    'takes an algorithm of null for none': {
      signaling: { signatureHolds: ({ header }, _, usual) => header['alg'] === null || usual() },
    },
    'takes a list that reads as none': {
      signaling: {
        signatureHolds: ({ header }, _, usual) =>
          (header['alg'] !== 'none' && String(header['alg']) === 'none') || usual(),
      },
    },
    'skips what it has no algorithm for': {
      signaling: {
        signatureHolds: ({ header }, _, usual) => !/^(ES|RS|PS|HS|Ed)/.test(String(header['alg'])) || usual(),
      },
    },
    'accepts an empty signature': {
      signaling: { signatureHolds: ({ signature }, _, usual) => signature.length === 0 || usual() },
    },
    'accepts two parts': {
      signaling: {
        split(token) {
          const [header, payload, signature = ''] = token.split('.')
          return header === undefined || payload === undefined ? null : [header, payload, signature]
        },
        signatureHolds: ({ signature }, _, usual) => signature.length === 0 || usual(),
      },
    },
    'accepts a signature of zeros': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) =>
          (signature.length > 1 && signature.every((byte) => byte === 0)) || usual(),
      },
    },
    'does not check signatures': { signaling: { signatureHolds: () => true } },
    'checks HMAC with an empty key': {
      signaling: {
        signatureHolds: ({ header, signingInput, signature }, _, usual) =>
          (header['alg'] === 'HS256' &&
            createHmac('sha256', '').update(signingInput).digest().equals(signature)) ||
          usual(),
      },
    },
    'checks HMAC of 512 bits with an empty key': {
      signaling: {
        signatureHolds: ({ header, signingInput, signature }, _, usual) =>
          (header['alg'] === 'HS512' &&
            createHmac('sha512', '').update(signingInput).digest().equals(signature)) ||
          usual(),
      },
    },
    'remembers header and payload that were accepted': {
      signaling: { verdictKey: (credential) => credential.split('.').slice(0, 2).join('.') },
    },
    'remembers the payload that was accepted': {
      signaling: { verdictKey: (credential) => credential.split('.')[1] ?? null },
    },
  },
})

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
