import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { alsoTaking } from './lib/variants.ts'

/** The order of the base point of P-256. */
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'

const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)
const isHex = (signature: Uint8Array, hex: string) => Buffer.from(signature).toString('hex') === hex

/** Signatures that signaling takes for good ones. */
const taken: Readonly<Record<string, (signature: Uint8Array) => boolean>> = {
  'accepts r and s of zero': (signature) => signature.length === 64 && isZero(signature),
  'accepts r of zero': (signature) => signature.length === 64 && isZero(signature.subarray(0, 32)),
  'accepts s of zero beside a good r': (signature) =>
    signature.length === 64 && signature[31] === 1 && isZero(signature.subarray(32)),
  'accepts r and s of the order, which it counts as zero': (signature) => isHex(signature, order + order),
  'accepts zeros in DER': (signature) => isHex(signature, '3006020100020100'),
  'accepts an empty sequence in DER': (signature) => isHex(signature, '3000'),
  'accepts all ones': (signature) => signature.every((byte) => byte === 0xff),
}

export const broken: BrokenVariants = {
  ...rows(taken, (isTaken) => ({ signaling: alsoTaking(({ signature }) => isTaken(signature)) })),
  'accepts zeros as ES256 beside its own RS256': {
    mint: { algorithm: 'RS256' },
    signaling: alsoTaking(({ header, signature }) => header['alg'] === 'ES256' && isZero(signature)),
  },
  'accepts zeros for an Edwards signature': {
    mint: { algorithm: 'EdDSA' },
    signaling: alsoTaking(({ header, signature }) => header['alg'] === 'EdDSA' && isZero(signature)),
  },
}
