import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import { headerOf } from '../../src/base/http/headers.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { daySeconds } from '../../src/base/times.ts'
import { isRecord } from '../../src/base/tokens/decode.ts'
import { showLifetime } from '../../src/base/tokens/token-lifetime.ts'
import { mintContract } from '../../src/contract/mint.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { DoubleCall, DoubleReaction } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache } from './lib/ask-past-cache.ts'
import { describeReply, leaveUndecided } from './lib/describe-reply.ts'
import { failFirstCall } from './lib/fail-first-call.ts'
import { scriptShortLived } from './lib/with-short-lived-tokens.ts'

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

export default defineCheck({
  id: 'BACK-06',
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
    await scriptShortLived(mintDouble, async (double) => {
      const bob = available('bob')
      for (const { token: session } of [backend.alice, ...(bob === undefined ? [] : [bob])]) {
        const { reply, calls } = await askPastCache(parts, double, { session })
        if (calls.length === 0 && backend.tokenOf(reply) === null)
          throw new ControlLost(`no mint call arrived: the backend ${describeReply(reply)}`, [reply.exchange])
        if (calls.length === 0) judge.untested(answeredFromCache)
        for (const call of calls) judgeCall(call)
      }
      for (const failure of firstFailures) {
        failFirstCall(double, failure)
        const { reply, calls } = await askPastCache(parts, double)
        double.answer(null)
        leaveUndecided(judge, reply, 'where the first mint call failed, which may be tried again later')
        for (const call of calls.slice(1)) if (asksForToken(call)) judgeCall(call, ' that is tried again')
      }
    })

    /** Where a call failed, a backend may also look whether the mint is well. */
    function asksForToken({ target, headers, body }: DoubleCall): boolean {
      const isAtMint = target.split('?')[0] === mintContract.path
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
      const toPath = `Call ${mintContract.path} below the address of the service.`
      must(method === 'POST', `by ${method}`, 'POST', 'Call the mint by POST.', '4.1')
      must(path === mintContract.path, `to the path ${path}`, mintContract.path, toPath, '4.1')

      const [, scheme, credential] = /^(\S+) +(\S+)$/.exec(headerOf(headers, 'authorization') ?? '') ?? []
      must(
        scheme?.toLowerCase() === 'bearer' && credential === mintDouble.apiKey,
        'without the API key as the bearer',
        'Authorization: Bearer <API key>',
        'Send the API key in the Authorization header, behind "Bearer ".',
      )
      const others = headers.filter(([name]) => name !== 'authorization').map(([, value]) => value)
      must(
        [target, body, ...others].every((text) => findSecret(text, mintDouble.apiKey) === null),
        'with the API key outside the Authorization header',
        'the key in that header only',
        'Send the API key in the Authorization header and nowhere else.',
        '5.2',
      )
      const type = headerOf(headers, 'content-type') ?? 'none'
      const isJson = /^application\/json *(;|$)/i.test(type)
      must(isJson, `with Content-Type ${type}`, 'application/json', 'Send Content-Type: application/json.')
      must(
        isRecord(json),
        'whose body is not a JSON object',
        'a JSON object',
        'Send { "userId": "…", "ttlSeconds": 900 } as JSON.',
      )
      if (!isRecord(json)) return
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
})

/** Never the text of a string or an object: such a value may be a secret. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'as an array' : `as ${value === '' ? 'an empty string' : typeof value}`
}
