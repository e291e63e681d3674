import { asForgeries, type Forgery, forged, type Original, signingInput } from './forge.ts'
import { hmacSigned } from './sign-input.ts'

/** RFC 7515 knows `none`; libraries have also taken what only looks like it, or what they do not know at all. */
const spellings = ['none', 'None', 'NONE', 'nOnE', 'none ', '', null, undefined, false, ['none']]

/** The token with no signature to speak of, in every way that a service has been known to fall for. */
export function unsigned(original: Original): Forgery[] {
  const forgeries = spellings.flatMap((alg): Omit<Forgery, 'userId'>[] => {
    const claimed = { header: { alg } }
    const input = signingInput(original, claimed)
    const name = alg === undefined ? 'without an algorithm' : `with the algorithm ${JSON.stringify(alg)}`
    return [
      { name: `${name} and an empty signature`, token: `${input}.` },
      { name: `${name} and only two parts`, token: input },
      { name: `${name} and the original signature`, token: forged(original, claimed) },
    ]
  })
  const input = signingInput(original)
  const own = [
    { name: 'with an empty signature', token: `${input}.` },
    { name: 'without its signature', token: input },
    {
      name: 'with a signature of zero bytes',
      token: forged(original, {}, new Uint8Array(original.signature.length)),
    },
    { name: 'signed with one zero byte', token: forged(original, {}, Buffer.of(0)) },
    { name: 'with "null" as its signature', token: `${input}.null` },
  ]
  const hmac = ['HS256', 'HS384', 'HS512'].map((alg) => ({
    name: `signed as ${alg} with an empty key`,
    token: hmacSigned(signingInput(original, { header: { alg } }), alg, ''),
  }))
  return asForgeries(original, [...forgeries, ...own, ...hmac])
}
