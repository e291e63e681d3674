import { integer, sequence } from '../tls/der.ts'
import { asForgeries, type Forgery, forged, type Original } from './forge.ts'

interface Curve {
  readonly bytes: number
  /** The order of the base point, and the prime of the field. */
  readonly order: bigint
  readonly prime: bigint
}

const curves: Readonly<Record<string, Curve>> = {
  ES256: {
    bytes: 32,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  },
  ES384: {
    bytes: 48,
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
  },
  ES512: {
    bytes: 66,
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    prime: 2n ** 521n - 1n,
  },
}

/**
 * The token with signatures that faulty verification accepts from any signer: r and s of 0, 1, the order and the field's
 * prime, raw and in DER, and all bits zero or one. Where the token is signed otherwise its algorithm becomes ES256,
 * and blanks in its own algorithm are added.
 */
export function blank(original: Original): Forgery[] {
  const { header, signature } = original
  const own = String(header['alg'])
  const alg = own in curves ? own : 'ES256'
  const curve = curves[alg]
  const elliptic = curve === undefined ? [] : edges(curve)
  const change = own === alg ? {} : { header: { alg } }
  const forgeries = elliptic.map((edge) => ({
    name: `with the ${alg} signature ${edge.name}`,
    token: forged(original, change, edge.signature),
  }))
  if (own !== alg)
    for (const [name, fill] of [['zeros', 0] as const, ['ones', 0xff] as const])
      forgeries.push({
        name: `with a signature of ${name}`,
        token: forged(original, {}, Buffer.alloc(signature.length, fill)),
      })
  return asForgeries(original, forgeries)
}

function edges({ bytes, order, prime }: Curve): { name: string; signature: Uint8Array }[] {
  const values: readonly (readonly [string, bigint])[] = [
    ['0', 0n],
    ['1', 1n],
    ['n', order],
    ['p', prime],
  ]
  const pairs = values.flatMap(([r, left]) =>
    values.map(([s, right]) => ({ name: `r = ${r}, s = ${s}`, left, right })),
  )
  const raw = pairs.map(({ name, left, right }) => ({
    name,
    signature: Buffer.concat([fixed(left, bytes), fixed(right, bytes)]),
  }))
  const der = pairs
    .filter(({ left, right }) => left !== 1n && right !== 1n)
    .map(({ name, left, right }) => ({ name: `${name} in DER`, signature: derPair(left, right) }))
  const ones = { name: 'of all ones', signature: Buffer.alloc(2 * bytes, 0xff) }
  const emptySequence = { name: 'of an empty DER sequence', signature: Buffer.of(0x30, 0) }
  return [...raw, ...der, ones, emptySequence]
}

function fixed(value: bigint, bytes: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')
}

/** ECDSA-Sig-Value (RFC 3279, 2.2.3). */
function derPair(r: bigint, s: bigint): Buffer {
  return sequence(integer(minimal(r)), integer(minimal(s)))
}

function minimal(value: bigint): Buffer {
  const digits = value.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}
