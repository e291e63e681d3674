import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'

/** The order of the base point of P-256. */
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'

/** Mistakes of signaling, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['signaling']>>> = {
  'accepts r and s of zero': {
    signatureHolds: ({ signature }, _, usual) =>
      (signature.length === 64 && signature.every((byte) => byte === 0)) || usual(),
  },
  'accepts r of zero': {
    signatureHolds: ({ signature }, _, usual) =>
      (signature.length === 64 && signature.subarray(0, 32).every((byte) => byte === 0)) || usual(),
  },
  'accepts s of zero beside a good r': {
    signatureHolds: ({ signature }, _, usual) =>
      (signature.length === 64 &&
        signature[31] === 1 &&
        signature.subarray(32).every((byte) => byte === 0)) ||
      usual(),
  },
  'accepts r and s of the order, which it counts as zero': {
    signatureHolds: ({ signature }, _, usual) =>
      Buffer.from(signature).toString('hex') === order + order || usual(),
  },
  'accepts zeros in DER': {
    signatureHolds: ({ signature }, _, usual) =>
      Buffer.from(signature).toString('hex') === '3006020100020100' || usual(),
  },
  'accepts an empty sequence in DER': {
    signatureHolds: ({ signature }, _, usual) => Buffer.from(signature).toString('hex') === '3000' || usual(),
  },
  'accepts all ones': {
    signatureHolds: ({ signature }, _, usual) => signature.every((byte) => byte === 0xff) || usual(),
  },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (signaling) => ({ signaling })),
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
}
