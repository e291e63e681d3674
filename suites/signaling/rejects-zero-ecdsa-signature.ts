import { blank } from '../../src/base/tokens/forge-zero-signature.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { fetchSpecimens, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'

const rule: Rule = { clause: '1.3', fix: 'Use a JWT library that checks the range of r and s.' }

export default defineCheck({
  id: 'SIG-24',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis:
    'The token proves that the client may join as a userId: a signature without a key proves nothing (1.3).',
  title: 'rejects zero and out-of-range ECDSA signature values',
  why: 'Verification that does not check the range of r and s accepts one signature for every message and key (CVE-2022-21449).',
  how: {
    does: [
      'Adds to the header and claims of an accepted and of an unused token ECDSA signatures with r and s of 0, 1, the order of the curve or the prime of its field, raw and as DER, and signatures of all zeros and all ones.',
      'Services that use another algorithm get the same signatures as ES256.',
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.'],
  },
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling }, judge) {
    await judge.sandwich(signaling.control, async () => {
      const originals = await fetchSpecimens(callingTokens, signaling)
      const attacks = originals.flatMap(({ original, name }) => toAttacks(blank(original), name))
      await mustReject(attacks, signaling, judge, rule)
    })
  },
  catches: {
    'accepts r and s of zero': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) =>
          (signature.length === 64 && signature.every((byte) => byte === 0)) || usual(),
      },
    },
    'accepts r of zero': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) =>
          (signature.length === 64 && signature.subarray(0, 32).every((byte) => byte === 0)) || usual(),
      },
    },
    'accepts s of zero beside a good r': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) =>
          (signature.length === 64 &&
            signature[31] === 1 &&
            signature.subarray(32).every((byte) => byte === 0)) ||
          usual(),
      },
    },
    'accepts r and s of the order, which it counts as zero': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) =>
          Buffer.from(signature).toString('hex') === order + order || usual(),
      },
    },
    'accepts zeros in DER': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) =>
          Buffer.from(signature).toString('hex') === '3006020100020100' || usual(),
      },
    },
    'accepts an empty sequence in DER': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) =>
          Buffer.from(signature).toString('hex') === '3000' || usual(),
      },
    },
    'accepts all ones': {
      signaling: {
        signatureHolds: ({ signature }, _, usual) => signature.every((byte) => byte === 0xff) || usual(),
      },
    },
    'accepts zeros as ES256 beside its own RS256': {
      mint: { algorithm: 'RS256' },
      signaling: {
        signatureHolds: ({ header, signature }, _, usual) =>
          (header['alg'] === 'ES256' && signature.every((byte) => byte === 0)) || usual(),
      },
    },
    'accepts zeros for an Edwards signature': {
      mint: { algorithm: 'EdDSA' },
      signaling: {
        signatureHolds: ({ header, signature }, _, usual) =>
          (header['alg'] === 'EdDSA' && signature.every((byte) => byte === 0)) || usual(),
      },
    },
  },
})

/** The order of the base point of P-256. */
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'
