import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'
import { type Backend, calling, callingWithBody, callingWithHeaders, sentBearer } from './lib/variants.ts'

const asksFor = (ttl: unknown): Catch => ({ backend: { ttlSeconds: () => ttl } })

export const broken: BrokenVariants = {
  'asks for the lifetime as a string': asksFor('900'),
  ...warning({
    'asks for days': asksFor(7 * 86_400),
    'asks for a second': asksFor(1),
  }),
  'sends the key in the body as well': callingWithBody(({ apiKey, order }) => ({ ...order, key: apiKey })),
  'sends another bearer': callingWithHeaders((details) => ({ authorization: sentBearer(details) })),
  'calls by PUT': calling(() => ({ method: 'PUT' })),
  'leaves the version out of the path': calling(() => ({ path: '/api/calling/token' })),
  'sends a form': calling(({ headers }, { order }) => ({
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: `userId=${order.userId}&ttlSeconds=${order.ttlSeconds}`,
  })),
  'calls its JSON plain text': callingWithHeaders(() => ({ 'content-type': 'text/plain' })),
  'calls the field user_id': callingWithBody(({ order }) => ({
    user_id: order.userId,
    ttlSeconds: order.ttlSeconds,
  })),
  'sends the userId as a number': callingWithBody(({ order }) => ({ ...order, userId: 4711 })),
  'tries again with the key in X-Api-Key': tryAgain(401, ({ headers }) => ({
    headers: { ...headers, 'x-api-key': headers['authorization']?.slice(7) ?? '' },
  })),
  'tries again with the key in the query': tryAgain(503, ({ path, headers }) => ({
    path: `${path}?api_key=${headers['authorization']?.slice(7)}`,
  })),
  'tries again without a lifetime': tryAgain(400, ({ body }) => ({
    body: JSON.stringify({ userId: JSON.parse(body ?? '{}').userId }),
  })),
  'tries again by GET where the connection broke': tryAgain(null, () => ({ method: 'GET', body: null })),
}

type MintCall = Parameters<Backend['callMint']>[0]

/** A backend that sends another call behind one with this answer; `null`: behind one without any. */
function tryAgain(status: number | null, change: (call: MintCall) => Partial<MintCall>): Catch {
  return {
    backend: {
      async callMint(call, usual) {
        const reply = await usual(call).catch((failure) => {
          if (status !== null) throw failure
          return null
        })
        return reply === null || reply.status === status ? await usual({ ...call, ...change(call) }) : reply
      },
    },
  }
}
