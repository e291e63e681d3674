import { createHmac } from 'node:crypto'
import { base64url, compact, type Forgery, type Original, signingInput } from './forge.ts'

/** RFC 7515 knows `none`; libraries have also taken what only looks like it, or what they do not know at all. */
const spellings = ['none', 'None', 'NONE', 'nOnE', 'none ', '', null, undefined, false, ['none']]

/** The token with no signature to speak of, in every way that a service has been known to fall for. */
export function unsigned({ header, payload, signature, userId }: Original): Forgery[] {
  const forgeries = spellings.flatMap((alg): Omit<Forgery, 'userId'>[] => {
    const claimed = { ...header, alg }
    const input = signingInput(claimed, payload)
    const name = alg === undefined ? 'without an algorithm' : `with the algorithm ${JSON.stringify(alg)}`
    return [
      { name: `${name} and an empty signature`, token: `${input}.` },
      { name: `${name} and only two parts`, token: input },
      { name: `${name} and the original signature`, token: compact(claimed, payload, signature) },
    ]
  })
  const input = signingInput(header, payload)
  const own = [
    { name: 'with an empty signature', token: `${input}.` },
    { name: 'without its signature', token: input },
    {
      name: 'with a signature of zero bytes',
      token: compact(header, payload, new Uint8Array(signature.length)),
    },
    { name: 'signed with one zero byte', token: compact(header, payload, Buffer.of(0)) },
    { name: 'with "null" as its signature', token: `${input}.null` },
  ]
  const hmac = [256, 384, 512].map((bits) => ({
    name: `signed as HS${bits} with an empty key`,
    token: hmacSigned({ ...header, alg: `HS${bits}` }, payload, ''),
  }))
  return [...forgeries, ...own, ...hmac].map((forgery) => ({ ...forgery, userId }))
}

/** A token signed by HMAC with any bytes as the key, none included; `alg` says which of HS256, HS384 and HS512. */
export function hmacSigned(
  header: Readonly<Record<string, unknown>> & { readonly alg: string },
  payload: Uint8Array,
  key: Uint8Array | string,
): string {
  const input = signingInput(header, payload)
  const signature = createHmac(`sha${header.alg.slice(2)}`, key)
    .update(input)
    .digest()
  return `${input}.${base64url(signature)}`
}
