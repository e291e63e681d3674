import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { mintContract } from '../../src/contract/mint.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendRequest, ReplyWithKey } from '../../src/roles/backend/driver.ts'
import { findInReply, showsKey, textsOf } from '../../src/roles/backend/find-in-reply.ts'
import { askWhile, explainNoCall } from './lib/ask-past-cache.ts'
import { headersNamed } from './lib/bodies.ts'
import { leaveUndecided } from './lib/describe-reply.ts'
import { createEchoAnswers, mark } from './lib/echo-answers.ts'
import { isSameBody } from './lib/example-token.ts'
import { findMintedUser } from './lib/sight.ts'
import { scriptShortLived } from './lib/with-short-lived-tokens.ts'

/** Requests that frameworks answer with pages and headers of their own; each completes "for …". */
const oddRequests: readonly (readonly [when: string, request: BackendRequest])[] = [
  ['a request without a session', { session: null }],
  [
    'a request with a malformed body',
    { method: 'POST', body: { text: '{"userId":', contentType: 'application/json' } },
  ],
  ['a request with a malformed Authorization header', { authorization: 'Bearer =,;"' }],
  ['a request by PUT', { method: 'PUT' }],
  [
    'a request that asks for debug output',
    { query: { debug: '1', trace: '1' }, headers: headersNamed(['X-Debug', 'X-Trace'], '1') },
  ],
]

export default defineCheck({
  id: 'BACK-08',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['2.1.1', '5.2'],
  basis: 'The API key is never sent to a client (2.1.1).',
  title: 'never exposes its API key to the app',
  why: 'Upstream errors echo the request. A backend that forwards them, or dumps its own request, gives the key to every app.',
  how: {
    does: [
      "The suite's mint double echoes the key in the body, headers and status text of errors and successes, truncates responses and resets connections.",
      'Searches the responses to ordinary requests of each user, and to all earlier requests of the run, for the key.',
      'Requests without a session, with a malformed body or Authorization header, by PUT, and for debug output are sent as well.',
    ],
    fails: [
      'The key in a response to the app: status text, headers, trailers or body; plain, percent-encoded, hexadecimal or base64.',
      'The beginning of the key, from eight characters behind the prefix, and the key without its prefix.',
    ],
    warns: [
      'A success without a token that becomes the token as a whole, since the example of clause 4.1 does that.',
      "Other text of the mint's errors in a response to the app.",
    ],
  },
  mints: 8,
  // Behind those whose responses it searches.
  stage: 'straining',
  needs: ['backend'],
  async run(parts, judge) {
    const { backend, available, configuration } = parts
    const mintDouble = parts.optional('mintDouble')
    const apiKey = mintDouble?.apiKey ?? configuration.mint?.apiKey
    if (apiKey === undefined) return
    const canary = mark + parts.randomBytes(8).toString('hex')
    const askOrdinarily = async () => {
      const when = 'for an ordinary request'
      const leaks: ReplyWithKey[] = []
      for (const session of [backend.alice, available('bob')]) {
        if (session === undefined) continue
        const reply = await backend.request({ session, case: 'an ordinary request' })
        if (showsKey(reply, apiKey)) leaks.push({ reply, when })
      }
      const [first, ...others] = [...leaks, ...backend.repliesWithKey()]
      if (first === undefined) return
      const more = new Set(others.map(({ reply }) => reply.exchange))
      more.delete(first.reply.exchange)
      judgeKey(
        first.reply,
        more.size === 0 ? first.when : `${first.when}, and in ${more.size} more responses`,
        [...more],
      )
    }
    if (mintDouble === undefined) return await askOrdinarily()
    await scriptShortLived(mintDouble, async (double) => {
      await askOrdinarily()
      const control = async () => {
        const { jwt, exchange } = await backend.token()
        if (readToken(jwt) === null && findMintedUser(double, jwt) === null)
          throw new ControlLost('the backend returned a token that no mint issued', [exchange])
      }
      await judge.sandwich(control, async () => {
        for (const [when, request] of oddRequests)
          judgeKey(await backend.request({ ...request, case: when }), `for ${when}`)
        for (const { when, script, tokenless } of createEchoAnswers(apiKey, canary)) {
          const change = { case: `an ordinary request ${when}` }
          const { reply, calls } = await askWhile(parts, double, script, change)
          judgeKey(tokenless === undefined ? reply : withoutPassedOn(reply, tokenless, when), when)
          if (calls.length > 0) judgeCanary(reply, when)
          else judge.untested(`${explainNoCall(backend, reply)}, so it did not get every mint response`)
        }
      })
    })

    /** The response without the token field, where that is the whole body of the mint: the example of clause 4.1 does so. */
    function withoutPassedOn(reply: Reply, tokenless: string, when: string): Reply {
      if (reply.kind === 'no-answer' || !isRecord(reply.json)) return reply
      const { token, ...rest } = reply.json
      if (!isSameBody(token, tokenless)) return reply
      judge.should(false, {
        case: when,
        saw: `the body of the mint, in which there was the API key, as the token of a response to the app, ${when}`,
        expected: 'an error where the mint gives no token (4.2.4)',
        fix: 'Return the body of the mint only where it is a JWT, and answer 502 otherwise.',
        evidence: [reply.exchange],
      })
      return { ...reply, body: JSON.stringify(rest) }
    }

    function judgeKey(reply: Reply, when: string, more: readonly string[] = []): void {
      if (apiKey === undefined || leaveUndecided(judge, reply, when)) return
      const secrets = [
        ['the API key', apiKey],
        ['the beginning of the API key', beginningOf(apiKey)],
        ['the API key without its prefix', secretOf(apiKey)],
      ] as const
      for (const [what, secret] of secrets) {
        const found = secret === null ? [] : findInReply(reply, secret)
        judge.must(found.length === 0, {
          case: `${what} ${when}`,
          saw: `${what} ${found.join(' and ')} of a response to the app, ${when}`,
          expected: 'no key in a response (2.1.1)',
          fix: "Answer with the backend's own error and drop the mint's, and show nothing of the key in headers or debug output.",
          evidence: [reply.exchange, ...more],
          isShown: true,
        })
        // The whole key has the others in it.
        if (found.length > 0) return
      }
    }

    function judgeCanary(reply: Reply, when: string): void {
      const places = textsOf(reply).filter(([, text]) => findSecret(text, canary) !== null)
      judge.advisory(places.length === 0, {
        case: when,
        saw: `error text of the mint in the ${places.map(([place]) => place).join(' and ')} of a response to the app, ${when}`,
        expected: "the backend's own error text",
        fix: "Answer with the backend's own error and drop the mint's.",
        evidence: [reply.exchange],
      })
    }
  },
})

/** So many characters of the secret part of a key are no name for it any more. */
const mostShown = 7

/**
 * Returns the beginning of a key that is too long to show: its prefix, and more of the secret than is needed
 * to name the key. Between the two there may be an id of the key, which is no secret. Null for a key without
 * the prefix, which may begin with any word.
 */
function beginningOf(key: string): string | null {
  const [, named, secret = ''] = /^(ac_live_(?:[a-z0-9]{1,16}[_.-](?=[a-z0-9]{16,}$))?)(.+)$/i.exec(key) ?? []
  return named === undefined || secret.length <= 2 * mostShown ? null : named + secret.slice(0, mostShown + 1)
}

const shortestSecret = 16

/** Returns a key behind its prefix; null where that is too short to be found by itself. */
function secretOf(key: string): string | null {
  const { prefix } = mintContract.key
  const secret = key.startsWith(prefix) ? key.slice(prefix.length) : ''
  return secret.length < shortestSecret ? null : secret
}
