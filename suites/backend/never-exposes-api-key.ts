import { findSecret } from '../../src/base/evidence/find-secret.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck, type Policies } from '../../src/requirement/define.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { DoubleScript } from '../../src/roles/mint/double.ts'
import { keyPrefix } from '../../src/roles/mint/near-miss-keys.ts'
import { askPastCache, explainNoCall } from './lib/ask-past-cache.ts'
import { createCanary, createEchoAnswers } from './lib/echo-answers.ts'
import { findInReply, textsOf } from './lib/find-in-reply.ts'
import { findMintedUser } from './lib/find-minted-user.ts'
import { leaveUndecided } from './lib/leave-undecided.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { cacheUntil } from './lib/variant-caches.ts'
import { isUnanswered, printRequest } from './lib/variant-leaks.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

/** Requests that frameworks answer with pages and headers of their own; each completes "for …". */
const oddRequests: readonly (readonly [when: string, request: BackendRequest])[] = [
  [
    'a request with a malformed body',
    { method: 'POST', body: { text: '{"userId":', contentType: 'application/json' } },
  ],
  ['a request with a malformed Authorization header', { authorization: 'Bearer =,;"' }],
  ['a request by PUT', { method: 'PUT' }],
  [
    'a request that asks for debug output',
    {
      query: { debug: '1', trace: '1' },
      headers: [
        ['X-Debug', '1'],
        ['X-Trace', '1'],
      ],
    },
  ],
]

export default defineCheck({
  id: 'BACK-08',
  role: 'backend',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['2.1.1', '5.2'],
  basis: 'The API key is never sent to a client (2.1.1).',
  title: 'never exposes its API key to the app',
  why: 'Upstream errors echo the request. A backend that forwards them, or dumps its own request, gives the key to every app.',
  how: {
    does: [
      "The suite's mint double echoes the key in the body, headers and status text of errors and successes, truncates responses and resets connections.",
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
    untested: ['A request that met no response.'],
  },
  mints: 6,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    const canary = createCanary(parts.randomBytes(8))
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      const control = async () => {
        const { jwt, exchange } = await backend.token()
        if (readToken(jwt) === null && findMintedUser(double, jwt) === null)
          throw new ControlLost('the backend returned a token that no mint issued', [exchange])
      }
      const askScripted = async (script: DoubleScript) => {
        double.answer(script)
        const asked = await askPastCache(parts, double)
        double.answer(null)
        return asked
      }
      await judge.sandwich(control, async () => {
        judgeKey(await backend.request({ session: null }), 'for a request without a session')
        for (const [when, request] of oddRequests)
          judgeKey(await backend.request({ ...request, case: when }), `for ${when}`)
        for (const { when, script, tokenless } of createEchoAnswers(mintDouble.apiKey, canary)) {
          const first = await askScripted(script)
          // A circuit breaker is open after failures in a row: once it is closed, the mint is called again.
          const isOpen = first.calls.length === 0 && backend.tokenOf(first.reply) === null
          if (isOpen) await control()
          const { reply, calls } = isOpen ? await askScripted(script) : first
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

    function judgeKey(reply: Reply, when: string): void {
      if (leaveUndecided(judge, reply, when)) return
      const judgeText = (what: string, secret: string) => {
        const found = findInReply(reply, secret)
        return judge.must(found.length === 0, {
          case: `${what} ${when}`,
          saw: `${what} ${found.join(' and ')} of a response to the app, ${when}`,
          expected: 'no key in a response (2.1.1)',
          fix: "Answer with the backend's own error and drop the mint's, and show nothing of the key in headers or debug output.",
          evidence: [reply.exchange],
          isShown: true,
        })
      }
      const beginning = beginningOf(mintDouble.apiKey)
      const secret = secretOf(mintDouble.apiKey)
      if (!judgeText('the API key', mintDouble.apiKey)) return
      if (beginning !== null) judgeText('the beginning of the API key', beginning)
      if (secret !== null) judgeText('the API key without its prefix', secret)
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
  catches: {
    "passes the mint's failure on": {
      backend: { mintFailed: (usual, { reply }) => ({ ...usual, body: reply?.body ?? usual.body }) },
    },
    "quotes the mint's failure": {
      backend: {
        mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
      },
    },
    "quotes the mint's failure, and keeps tokens until a minute before their end": {
      backend: {
        ...cacheUntil(({ expiresAt }) => expiresAt - 60_000),
        mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
      },
    },
    "passes the mint's success on": {
      backend: {
        success: (usual, { reply }) => (reply.body.startsWith('{') ? { ...usual, body: reply.body } : usual),
      },
    },
    "copies the mint's headers": {
      backend: {
        success: (usual, { reply }) => ({
          ...usual,
          headers: { ...usual.headers, 'x-mint': reply.headers['x-request'] ?? '' },
        }),
      },
    },
    "copies the mint's headers when it fails": {
      backend: {
        mintFailed: (usual, { reply }) => ({
          ...usual,
          headers: { ...usual.headers, 'x-mint': reply?.headers['www-authenticate'] ?? '' },
        }),
      },
    },
    "quotes the mint's status text": {
      backend: {
        mintFailed: (_, { reply }) => jsonAnswer(502, { error: `mint: ${reply?.statusText ?? 'nothing'}` }),
      },
    },
    "quotes the mint's status text with a token": {
      backend: {
        success: (_, { token, reply }) => jsonAnswer(200, { token, upstream: reply.statusText }),
      },
    },
    'quotes what it could not read': {
      backend: {
        mintFailed: (usual, { reply }) =>
          reply !== null && reply.status === 200
            ? jsonAnswer(502, { error: `no token in ${reply.body}` })
            : usual,
      },
    },
    'hands an unreadable success out as the token': {
      backend: {
        readToken: ({ status, body }, usual) =>
          status === 200 && !body.startsWith('{') && !body.startsWith('ey') ? body : usual(),
      },
      as: 'warn',
    },
    'adds the unreadable success to the token': {
      backend: {
        readToken: ({ status, body }, usual) =>
          status === 200 && !body.startsWith('{') && !body.startsWith('ey') ? `mint: ${body}` : usual(),
      },
    },
    'prints its request when the connection breaks': {
      backend: printRequest((headers) => headers, isUnanswered),
    },
    'prints its request in base64': {
      backend: printRequest(
        (headers) => Buffer.from(JSON.stringify(headers)).toString('base64'),
        isUnanswered,
      ),
    },
    'prints its request in hex': {
      backend: printRequest((headers) => Buffer.from(JSON.stringify(headers)).toString('hex'), isUnanswered),
    },
    'prints its request percent-encoded': {
      backend: printRequest(
        (headers) => JSON.stringify(headers).replace(/\W|_/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
        isUnanswered,
      ),
    },
    'tells the key to anyone who is refused': {
      backend: withKey((key) => ({
        refuseSession: () => jsonAnswer(401, { error: 'sign in first', settings: { key: key() } }),
      })),
    },
    'tells the key in a header of what it does not take': {
      backend: withKey((key) => ({
        answer: (usual, { method }) => (method === 'PUT' ? addHeader(usual, 'x-config', key()) : usual),
      })),
    },
    'tells the key in a header where the body is malformed': {
      backend: withKey((key) => ({
        answer: (usual, { body }) =>
          body !== '' && !body.endsWith('}')
            ? addHeader({ ...usual, status: 400 }, 'x-config', btoa(key()))
            : usual,
      })),
    },
    'tells the key in a header where the session is malformed': {
      backend: withKey((key) => ({
        answer: (usual, { headers }) =>
          headers.authorization?.includes('"') ? addHeader(usual, 'x-config', key()) : usual,
      })),
    },
    'tells the key in a debug header': {
      backend: withKey((key) => ({
        answer: (usual, { headers }) =>
          headers['x-debug'] === '1' ? addHeader(usual, 'x-debug', key()) : usual,
      })),
    },
    'tells the key in a trailer': {
      backend: withKey((key) => ({ answer: (usual) => ({ ...usual, trailers: { 'x-mint-key': key() } }) })),
    },
    'tells the key without its prefix': {
      backend: withKey((key) => ({
        mintFailed: () => jsonAnswer(502, { error: `the mint refused ${key().replace('ac_live_', '')}` }),
      })),
    },
    'tells the first 20 characters of the key': {
      backend: withKey((key) => ({
        mintFailed: () => jsonAnswer(502, { error: `the mint refused ${key().slice(0, 20)}…` }),
      })),
    },
    "passes the mint's words on without the key": {
      backend: {
        mintFailed: (_, { reply }) =>
          jsonAnswer(502, { error: (reply?.body ?? '').replaceAll(/ac_live_\w+/g, '[key]') }),
      },
      as: 'warn',
    },
    "passes the mint's status text on without the key": {
      backend: {
        mintFailed: (_, { reply }) =>
          jsonAnswer(502, { error: (reply?.statusText ?? '').replaceAll(/ac_live_\w+/g, '[key]') }),
      },
      as: 'warn',
    },
  },
})

function isSameBody(token: unknown, body: string): boolean {
  return token === body || JSON.stringify(token) === body
}

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
  const secret = key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : ''
  return secret.length < shortestSecret ? null : secret
}

/** A backend that remembers the key of its first mint call. */
function withKey(create: (key: () => string) => Partial<Policies['backend']>): Partial<Policies['backend']> {
  let known = ''
  return {
    mintCall: (usual, { apiKey }) => {
      known = apiKey
      return usual
    },
    ...create(() => known),
  }
}

function addHeader<A extends { readonly headers: object }>(usual: A, name: string, value: string) {
  return { ...usual, headers: { ...usual.headers, [name]: value } }
}
