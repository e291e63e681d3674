import { createRemoteJWKSet, jwtVerify } from 'jose'

const api = 'https://shop.example/api'
const issuer = process.env.LOGIN_URL
const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))

const strict = { issuer, audience: api, typ: 'at+jwt', algorithms: ['RS256'] }

export async function verify(session) {
  const { payload } = await jwtVerify(session, keys, strict)
  return payload.sub
}
