import {
  asForgeries,
  type Change,
  type Forgery,
  type HeaderChange,
  type Original,
  signingInput,
  withClaims,
} from './forge.ts'
import { signAsUntrusted, type UntrustedSigner } from './forge-untrusted.ts'
import { hmacSigned } from './sign-input.ts'

/** Where the suite listens for a service that fetches what a header names. */
export interface Bait {
  /** A key set with the untrusted key. */
  readonly jwksUrl: string
  /** The certificate of the untrusted key. */
  readonly certificateUrl: string
  /** The address of an issuer that publishes the untrusted key under the key id `untrusted`. */
  readonly issuer: string
}

/** Tokens whose header brings along the key, or which name the place, that a careless service verifies them with. */
export async function withKeyInHeader(
  original: Original,
  signer: UntrustedSigner,
  bait: Bait,
): Promise<Forgery[]> {
  const { publicJwk, x5c } = signer
  const cases: readonly (readonly [string, HeaderChange])[] = [
    ['an untrusted key as jwk', { jwk: publicJwk }],
    ['an untrusted certificate as x5c', { x5c }],
    ['an untrusted jku', { jku: bait.jwksUrl }],
    ['an untrusted x5u', { x5u: bait.certificateUrl }],
  ]
  const payload = withClaims(original, { iss: bait.issuer })
  const changes: readonly (readonly [string, Change])[] = [
    ...cases.flatMap(([name, header]): (readonly [string, Change])[] => [
      [`with ${name}, under the original key id`, { header }],
      [`with ${name}, under another key id`, { header: { ...header, kid: 'untrusted' } }],
      [`with ${name} and no key id`, { header: { ...header, kid: undefined } }],
    ]),
    ['whose key id is a URL', { header: { kid: bait.jwksUrl } }],
    ['with an untrusted iss, under its key id', { header: { kid: 'untrusted' }, payload }],
    ['with an untrusted iss and no key id', { header: { kid: undefined }, payload }],
  ]
  const made = changes.map(async ([name, change]) => ({
    name,
    token: await signAsUntrusted(original, signer, change),
  }))
  return asForgeries(original, await Promise.all(made))
}

const known = 'twotoken'
const up = '../'.repeat(12)

/** Key ids that a careless service turns into a file, a query or a look-up, with the key that it then arrives at. */
const keyIds: readonly { readonly kid: string; readonly key: string; readonly what: string }[] = [
  { kid: '', key: '', what: 'empty' },
  { kid: 'no-such-key', key: '', what: 'unknown' },
  { kid: '/dev/null', key: '', what: '/dev/null' },
  { kid: `${up}dev/null`, key: '', what: 'a path to /dev/null' },
  { kid: 'keys/../../../../../../../../dev/null', key: '', what: 'a path traversal to /dev/null' },
  { kid: `${up}dev/null\0.pem`, key: '', what: 'a path to /dev/null followed by a zero byte' },
  { kid: `${up}proc/sys/kernel/randomize_va_space`, key: '2\n', what: 'a path to a file of known content' },
  { kid: `' UNION SELECT '${known}' -- `, key: known, what: 'an SQL query' },
  { kid: `x' UNION SELECT '${known}`, key: known, what: 'the end of an SQL query' },
  { kid: `" UNION SELECT "${known}" -- `, key: known, what: 'an SQL query in double quotes' },
  { kid: '__proto__', key: '[object Object]', what: '__proto__' },
  { kid: 'constructor', key: 'function Object() { [native code] }', what: 'constructor' },
]

export function withKeyId(original: Original): Forgery[] {
  const made = keyIds.map(({ kid, key, what }) => ({
    name: `whose key id is ${what}, signed as HS256 with the key it leads to`,
    token: hmacSigned(signingInput(original, { header: { kid, alg: 'HS256' } }), 'HS256', key),
  }))
  return asForgeries(original, made)
}
