import type { Clock } from '../../base/clock.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import { createSigningKey, type SigningKey, signCallingToken } from '../../base/tokens/signing-key.ts'
import { shapeBody } from './body-shape.ts'
import type { DoubleCall, DoubleIssuer } from './double.ts'
import type { Mint } from './driver.ts'

/** Forwards to the real mint, so that the tokens work at the real signaling, in the shape that the real mint uses. */
function createForwardingIssuer(mint: Mint): DoubleIssuer {
  return {
    real: true,
    async issue(call, ttlSeconds) {
      const asked = isRecord(call.json) ? call.json : {}
      const body =
        ttlSeconds === null ? asked : { ...asked, ttlSeconds: Math.max(ttlSeconds, mint.minTtlSeconds) }
      // As text: a lifetime that the backend leaves out is left out here.
      const reply = await mint.request({ body: JSON.stringify(body), followRedirects: true })
      if (reply.kind === 'no-answer')
        return {
          answer: {
            status: 504,
            body: JSON.stringify({ error: { message: 'the real mint did not answer' } }),
          },
          jwt: null,
        }
      const located = mint.locate(reply)
      const headers = {
        'content-type': reply.headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json',
      }
      return {
        answer: { status: reply.status, headers, body: reply.body },
        jwt: located.kind === 'found' && reply.status >= 200 && reply.status < 300 ? located.token : null,
      }
    },
  }
}

/** Where there is no real mint, the double signs by itself: with the operator's test key where one is given. */
export async function chooseIssuer(
  mint: Mint | undefined,
  clock: Pick<Clock, 'wall'>,
  testKey: SigningKey | null = null,
): Promise<DoubleIssuer> {
  return mint === undefined ? await createSigningIssuer(testKey, clock.wall) : createForwardingIssuer(mint)
}

const defaultTtlSeconds = 900

/** Signs with the operator's test key, or with a key of its own when there is none. */
export async function createSigningIssuer(
  given: SigningKey | null,
  wallNow: () => number,
): Promise<DoubleIssuer> {
  const key = given ?? (await createSigningKey())
  return {
    real: given !== null,
    async issue(call: DoubleCall, ttlSeconds) {
      const iat = Math.floor(wallNow() / 1000)
      const exp = iat + (ttlSeconds ?? askedTtl(call) ?? defaultTtlSeconds)
      const jwt = await signCallingToken(key, call.userId ?? '', { iat, exp })
      const { contentType, body } = shapeBody('token', jwt)
      return { answer: { status: 200, headers: { 'content-type': contentType }, body }, jwt }
    },
  }
}

function askedTtl(call: DoubleCall): number | null {
  const ttl = isRecord(call.json) ? call.json['ttlSeconds'] : undefined
  return typeof ttl === 'number' && Number.isInteger(ttl) && ttl > 0 ? ttl : null
}
