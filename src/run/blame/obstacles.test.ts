import { expect, test } from 'vitest'
import { readToken } from '../../base/tokens/decode.ts'
import { resolveConfiguration } from '../../configuration/load.ts'
import type { ReplaceablePart } from '../../requirement/blame.ts'
import { findObstacle } from './obstacles.ts'

const mint = { url: 'http://127.0.0.1:1', apiKey: 'ac_live_key' }
const backend = { url: 'http://127.0.0.1:2/token' }
const double = { ...backend, fakeMint: { listen: '127.0.0.1:3', apiKey: 'ac_live_key' } }
const signaling = { url: 'wss://127.0.0.1:4/ws' }
const secret = { signWith: { alg: 'HS256', secret: 'shared' } }
const jwks = { jwks: 'http://127.0.0.1:5/jwks' }
const proxy = { url: 'http://proxy.example:3128' }

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const sampleOf = (alg: string, parts = 3) => {
  const jwt = [encoded({ alg }), encoded({ sub: 'u' }), 'AA', 'AA', 'AA'].slice(0, parts).join('.')
  return { jwt, userId: 'u', read: readToken(jwt), userIdPaths: ["$['sub']"], answer: null }
}
const flow = 'mint backend signaling'

test.each<[string, string, object, ReturnType<typeof sampleOf>, string | null]>([
  ['mint', flow, { mint, backend, signaling, token: secret }, sampleOf('ES256'), 'backend.fakeMint'],
  ['mint', flow, { mint, backend: double, signaling }, sampleOf('ES256'), 'token.signWith'],
  ['mint', flow, { mint, backend: double, signaling, token: secret }, sampleOf('HS256'), null],
  ['mint', 'mint signaling', { mint, backend, signaling, token: secret }, sampleOf('HS256'), null],
  ['mint backend', 'mint backend', { mint, backend }, sampleOf('ES256'), null],
  ['mint backend signaling', flow, { mint, backend, signaling, proxy }, sampleOf('ES256', 5), null],
  ['backend', flow, { mint, backend, signaling }, sampleOf('ES256'), null],
  ['backend', flow, { mint, backend, signaling, proxy }, sampleOf('ES256'), 'through a proxy'],
  ['backend', flow, { mint, backend: double, signaling, proxy }, sampleOf('ES256'), null],
  ['backend', 'backend signaling', { backend, signaling }, sampleOf('ES256'), 'no mint to call'],
  ['signaling', flow, { mint, backend, signaling }, sampleOf('ES256'), 'cannot verify the tokens'],
  ['signaling', flow, { mint, backend, signaling, token: jwks }, sampleOf('ES256'), null],
  ['signaling', flow, { mint, backend, signaling, token: jwks }, sampleOf('HS256'), 'no key for HS256'],
  ['signaling', flow, { mint, backend, signaling, token: secret }, sampleOf('ES256'), 'no key for ES256'],
  ['signaling', flow, { mint, backend, signaling, token: jwks }, sampleOf('ES256', 5), 'no signed JWTs'],
])('the reference as %s, of %s: %j', async (replaced, concerned, written, sample, expected) => {
  const configuration = await resolveConfiguration(written, { directory: '/', environment: {} })
  const partsIn = (text: string) => text.split(' ') as ReplaceablePart[]
  const obstacle = findObstacle(partsIn(replaced), partsIn(concerned), configuration, sample)
  if (expected === null) expect(obstacle).toBeNull()
  else expect(obstacle).toContain(expected)
})
