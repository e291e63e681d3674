import { findSecret } from '../../src/base/evidence/find-secret.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { isRecord } from '../../src/base/tokens/decode.ts'
import { showLifetime } from '../../src/base/tokens/show-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { DoubleCall, DoubleReaction } from '../../src/roles/mint/double.ts'
import { mintPath } from '../../src/roles/mint/driver.ts'
import { askPastCache } from './lib/ask-past-cache.ts'
import { describeReply } from './lib/describe-reply.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

/** The example range of clause 8, in seconds. */
const recommended = { least: 60, most: 3600 }

/**
 * Failures that may make a backend try again, and otherwise than before. Its request was rejected, or met a
 * mint that was down.
 */
const firstFailures: readonly DoubleReaction[] = [
  ...[400, 401, 503].map((status) => ({ status, body: '{"error":{"code":"refused"}}' })),
  'reset',
]

/** Longer ones are shown in days. */
const daySeconds = 86_400

export default defineCheck({
  id: 'BACK-06',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.2.3', '2.2', '5.2'],
  basis:
    'The backend calls the mint as specified: with the key as bearer, a userId and ttlSeconds (4.2.3, 2.2).',
  title: 'calls the mint with the specified method, header and body',
  why: 'A request that one mint tolerates, another rejects, and a key outside its header leaks into logs.',
  how: {
    does: [
      "A logged-in user requests a token, and the suite's mint double inspects the call.",
      'Then it rejects the first call of a request, or closes its connection, and inspects what the backend sends when it tries again.',
      "Expects POST to the mint's path, the API key as the bearer and nowhere else, and a JSON body with a string userId and an integer ttlSeconds.",
    ],
    fails: ['Anything else.'],
    warns: ['A ttlSeconds outside 60 to 3600.'],
  },
  mints: 6,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble, available } = parts
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      const bob = available('bob')
      for (const { token: session } of [backend.alice, ...(bob === undefined ? [] : [bob])]) {
        const { reply, calls } = await askPastCache(parts, double, { session })
        if (calls.length === 0 && backend.tokenOf(reply) === null)
          throw new ControlLost(`no mint call arrived: the backend ${describeReply(reply)}`, [reply.exchange])
        if (calls.length === 0)
          judge.untested('the backend answered from a cache, so its mint call could not be inspected')
        for (const call of calls) judgeCall(call)
      }
      for (const failure of firstFailures) {
        let isFirst = true
        double.answer((_, ordinary) => {
          const reaction = isFirst ? failure : ordinary()
          isFirst = false
          return reaction
        })
        const { reply, calls } = await askPastCache(parts, double)
        double.answer(null)
        leaveUndecided(judge, reply, 'where the first mint call failed, which may be tried again later')
        for (const call of calls.slice(1)) if (asksForToken(call)) judgeCall(call, ' that is tried again')
      }
    })

    /** Where a call failed, a backend may also look whether the mint is well. */
    function asksForToken({ target, headers, body }: DoubleCall): boolean {
      const isAtMint = target.split('?')[0] === mintPath
      const hasKey = findSecret(JSON.stringify([target, headers, body]), mintDouble.apiKey) !== null
      return isAtMint || hasKey
    }

    function judgeCall(call: DoubleCall, which = ''): void {
      const evidence = [call.exchange]
      const must = (holds: boolean, saw: string, expected: string, fix: string, clause = '2.2') =>
        judge.must(holds, {
          case: `a mint call${which}`,
          saw: `a mint call${which} ${saw}`,
          expected: `${expected} (${clause})`,
          fix,
          evidence,
        })
      const { method, target, headers, body, json } = call
      const [path] = target.split('?')
      must(method === 'POST', `by ${method}`, 'POST', 'Call the mint by POST.', '4.1')
      must(
        path === mintPath,
        `to the path ${path}`,
        mintPath,
        `Call ${mintPath} below the address of the service.`,
        '4.1',
      )

      const [, scheme, credential] = /^(\S+) +(\S+)$/.exec(headerOf(headers, 'authorization') ?? '') ?? []
      const isKey = scheme?.toLowerCase() === 'bearer' && credential === mintDouble.apiKey
      must(
        isKey,
        'without the API key as the bearer',
        'Authorization: Bearer <API key>',
        'Send the API key in the Authorization header, behind "Bearer ".',
      )
      const elsewhere = [
        target,
        body,
        ...headers.filter(([name]) => name !== 'authorization').map(([, value]) => value),
      ]
      const isElsewhere = elsewhere.some((text) => findSecret(text, mintDouble.apiKey) !== null)
      must(
        !isElsewhere,
        'with the API key outside the Authorization header',
        'the key in that header only',
        'Send the API key in the Authorization header and nowhere else.',
        '5.2',
      )

      const contentType = headerOf(headers, 'content-type') ?? 'none'
      const isJson = /^application\/json *(;|$)/i.test(contentType)
      must(
        isJson,
        `with Content-Type ${contentType}`,
        'application/json',
        'Send Content-Type: application/json.',
      )
      if (
        !must(
          isRecord(json),
          'whose body is not a JSON object',
          'a JSON object',
          'Send { "userId": "…", "ttlSeconds": 900 } as JSON.',
        ) ||
        !isRecord(json)
      )
        return
      const { userId, ttlSeconds: ttl } = json as { readonly userId?: unknown; readonly ttlSeconds?: unknown }
      must(
        typeof userId === 'string' && userId !== '',
        `with userId ${kindOf(userId)}`,
        'a non-empty string',
        'Send the userId as a string; convert a numeric id.',
      )
      must(
        Number.isInteger(ttl),
        `with ttlSeconds ${kindOf(ttl)}`,
        'an integer number of seconds',
        'Send ttlSeconds as a whole number of seconds, such as 900.',
        '4.2.3',
      )
      if (typeof ttl !== 'number') return
      judge.observe('backend.ttlSeconds', ttl)
      judge.should(ttl >= recommended.least && ttl <= recommended.most, {
        case: `a mint call${which}`,
        saw: `a mint call${which} with ttlSeconds ${ttl > daySeconds ? `of ${showLifetime(ttl)}` : ttl}`,
        expected: `${recommended.least} to ${recommended.most} (8)`,
        fix: 'Request a lifetime of minutes, such as 900 seconds.',
        evidence,
      })
    }
  },
  catches: {
    'asks for the lifetime as a string': { backend: { ttlSeconds: () => '900' } },
    'asks for the lifetime in words': { backend: { ttlSeconds: () => '15m' } },
    'asks for no lifetime': { backend: { ttlSeconds: () => undefined } },
    'asks for a lifetime of null': { backend: { ttlSeconds: () => null } },
    'asks for a fraction of a second': { backend: { ttlSeconds: () => 900.5 } },
    'asks for days': { backend: { ttlSeconds: () => 7 * 86_400 }, as: 'warn' },
    'asks for milliseconds': { backend: { ttlSeconds: () => 900_000 }, as: 'warn' },
    'asks for a second': { backend: { ttlSeconds: () => 1 }, as: 'warn' },
    'sends the key in the body': {
      backend: {
        mintCall: (usual, { apiKey, order }) => ({
          ...usual,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...order, apiKey }),
        }),
      },
    },
    'sends the key in the body as well': {
      backend: {
        mintCall: (usual, { apiKey, order }) => ({
          ...usual,
          body: JSON.stringify({ ...order, key: apiKey }),
        }),
      },
    },
    'sends the key in the query as well': {
      backend: { mintCall: (usual, { apiKey }) => ({ ...usual, path: `${usual.path}?key=${apiKey}` }) },
    },
    'sends the key in another header as well': {
      backend: {
        mintCall: (usual, { apiKey }) => ({ ...usual, headers: { ...usual.headers, 'x-api-key': apiKey } }),
      },
    },
    'sends the key without a scheme': {
      backend: {
        mintCall: (usual, { apiKey }) => ({ ...usual, headers: { ...usual.headers, authorization: apiKey } }),
      },
    },
    'sends the key as the password of Basic': {
      backend: {
        mintCall: (usual, { apiKey }) => ({
          ...usual,
          headers: { ...usual.headers, authorization: `Basic ${btoa(`key:${apiKey}`)}` },
        }),
      },
    },
    'sends another bearer': {
      backend: {
        mintCall: (usual, { inbound }) => ({
          ...usual,
          headers: { ...usual.headers, authorization: inbound.headers.authorization ?? '' },
        }),
      },
    },
    'calls by PUT': { backend: { mintCall: (usual) => ({ ...usual, method: 'PUT' }) } },
    'calls by GET with the fields in the query': {
      backend: {
        mintCall: (usual, { order }) => ({
          ...usual,
          method: 'GET',
          path: `${usual.path}?userId=${order.userId}&ttlSeconds=${order.ttlSeconds}`,
          body: null,
        }),
      },
    },
    'leaves the version out of the path': {
      backend: { mintCall: (usual) => ({ ...usual, path: '/api/calling/token' }) },
    },
    'calls another version': {
      backend: { mintCall: (usual) => ({ ...usual, path: '/api/v2/calling/token' }) },
    },
    'adds a slash to the path': { backend: { mintCall: (usual) => ({ ...usual, path: `${usual.path}/` }) } },
    'sends a form': {
      backend: {
        mintCall: (usual, { order }) => ({
          ...usual,
          headers: { ...usual.headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: `userId=${order.userId}&ttlSeconds=${order.ttlSeconds}`,
        }),
      },
    },
    'calls its JSON plain text': {
      backend: {
        mintCall: (usual) => ({ ...usual, headers: { ...usual.headers, 'content-type': 'text/plain' } }),
      },
    },
    'calls the field user_id': {
      backend: {
        mintCall: (usual, { order }) => ({
          ...usual,
          body: JSON.stringify({ user_id: order.userId, ttlSeconds: order.ttlSeconds }),
        }),
      },
    },
    'sends the userId as a number': {
      backend: {
        mintCall: (usual, { order }) => ({ ...usual, body: JSON.stringify({ ...order, userId: 4711 }) }),
      },
    },
    'tries again with the key in X-Api-Key': {
      backend: tryAgain(401, (call) => ({
        ...call,
        headers: { ...call.headers, 'x-api-key': call.headers['authorization']?.slice(7) ?? '' },
      })),
    },
    'tries again with the key in the query': {
      backend: tryAgain(503, (call) => ({
        ...call,
        path: `${call.path}?api_key=${call.headers['authorization']?.slice(7)}`,
      })),
    },
    'tries again without a lifetime': {
      backend: tryAgain(400, (call) => ({
        ...call,
        body: JSON.stringify({ userId: JSON.parse(call.body ?? '{}').userId }),
      })),
    },
    'tries again by GET where the connection broke': {
      backend: tryAgain(null, (call) => ({ ...call, method: 'GET' as const, body: null })),
    },
    'sends the fields inside another': {
      backend: { mintCall: (usual, { order }) => ({ ...usual, body: JSON.stringify({ data: order }) }) },
    },
  },
})

interface SentCall {
  readonly method: 'POST' | 'GET' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A backend that sends another call behind one with this answer; `null`: behind one without any. */
function tryAgain(status: number | null, change: (call: SentCall) => SentCall) {
  return {
    async callMint<Reply extends { readonly status: number }>(
      call: SentCall,
      usual: (call: SentCall) => Promise<Reply>,
    ): Promise<Reply> {
      const reply = await usual(call).catch((failure) => {
        if (status !== null) throw failure
        return null
      })
      return reply === null || reply.status === status ? await usual(change(call)) : reply
    },
  }
}

/** Never the text of a string or an object: such a value may be a secret. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'as an array' : `as ${value === '' ? 'an empty string' : typeof value}`
}
