import { createPublicKey } from 'node:crypto'
import type { JWK } from 'jose'
import { omitUndefined } from '../omit-undefined.ts'
import { asForgeries, type Forgery, type Original, signingInput } from './forge.ts'
import { hmacSigned } from './sign-input.ts'

/** Tokens signed by HMAC with a published key in each form that a service may hold. None for a key that is not public. */
export function confused(original: Original, jwk: JWK): Forgery[] {
  if (jwk.kty === 'oct' || jwk.kty === undefined) return []
  const kid = jwk.kid ?? original.header['kid']
  const made = secretForms(jwk).flatMap(({ form, secret }) => {
    // The other two are tried for the forms that are met most.
    const algorithms = usualForms.includes(form) ? ['HS256', 'HS384', 'HS512'] : ['HS256']
    return algorithms.map((alg) => ({
      name: `signed as ${alg} with the published key as ${form}`,
      token: hmacSigned(signingInput(original, { header: { alg, kid } }), alg, secret),
    }))
  })
  return asForgeries(original, made)
}

const usualForms = ['PEM', 'DER', 'the published JSON']

interface SecretForm {
  readonly form: string
  readonly secret: Uint8Array | string
}

function secretForms(jwk: JWK): SecretForm[] {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  const der = key.export({ type: 'spki', format: 'der' })
  const { kty, crv, x, y, n, e } = jwk
  const bare = omitUndefined({ crv, e, kty, n, x, y })
  const point = [x, y].map((coordinate) => Buffer.from(coordinate ?? '', 'base64url'))
  const [certificate] = jwk.x5c ?? []
  return [
    { form: 'PEM', secret: pem },
    { form: 'PEM without the last line end', secret: pem.trimEnd() },
    { form: 'PEM with two line ends', secret: `${pem}\n` },
    { form: 'PEM with carriage returns', secret: pem.replaceAll('\n', '\r\n') },
    { form: 'PEM in one line', secret: pem.replaceAll('\n', '') },
    { form: 'DER', secret: der },
    { form: 'base64 of DER', secret: der.toString('base64') },
    { form: 'the published JSON', secret: JSON.stringify(jwk) },
    { form: 'a key set of it alone', secret: JSON.stringify({ keys: [jwk] }) },
    { form: 'the JSON of its members alone', secret: JSON.stringify(bare) },
    ...(kty === 'RSA'
      ? [
          { form: 'PKCS#1 PEM', secret: key.export({ type: 'pkcs1', format: 'pem' }).toString() },
          { form: 'its modulus', secret: Buffer.from(n ?? '', 'base64url') },
          { form: 'its modulus in base64url', secret: n ?? '' },
        ]
      : [
          { form: 'its coordinates', secret: Buffer.concat(point) },
          { form: 'an uncompressed point', secret: Buffer.concat([Buffer.of(4), ...point]) },
          { form: 'its first coordinate in base64url', secret: x ?? '' },
        ]),
    ...(certificate === undefined
      ? []
      : [{ form: 'its certificate', secret: Buffer.from(certificate, 'base64') }]),
  ]
}
