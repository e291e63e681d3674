import { isStillValid } from '../../src/base/tokens/token-lifetime.ts'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { all, warning } from '../lib/broken-rows.ts'
import { breakAfterFailure, fallBackToLast, keepFirst, mintAhead } from './lib/variant-caches.ts'
import { type Backend, backends, fieldsOf, jsonAnswer, printRequest } from './lib/variants.ts'

type Policy = Partial<Backend>
type MintReply = Parameters<Backend['readToken']>[0]

const fieldOf = (body: string) => fieldsOf(body)['token']
const failsWith = (answer: Awaited<ReturnType<Backend['answer']>>): Policy => ({ mintFailed: () => answer })
/** A backend that reads some answers in its own way; the usual one where that finds undefined. */
const reads = (read: (reply: MintReply) => unknown): Policy => ({
  readToken: (reply, usual) => read(reply) ?? usual(),
})
const isRedirect = (reply: { readonly status: number } | null) =>
  reply !== null && reply.status >= 300 && reply.status <= 399
const hanging: Policy = { mintDeadlineMs: Number.POSITIVE_INFINITY }
const silent: Policy = {
  answer: (usual) => (usual.status === 502 ? new Promise<never>(() => {}) : usual),
}
const waiting = (limits: object): Catch => ({ configuration: { limits } })
const longLived: Catch = { mint: { ttl: { defaultSeconds: 900, floorSeconds: 60, ceilingSeconds: 3600 } } }

export const broken: BrokenVariants = {
  ...backends({
    'answers 200 with an error': failsWith(jsonAnswer(200, { error: 'no calling' })),
    'prints its request where the mint redirects': printRequest((headers) => headers, isRedirect),
    'makes a token up': failsWith(jsonAnswer(502, { error: 'x', token: 'eyJhbGciOiJub25lIn0.e30.' })),
    'never looks at the status': {
      readToken: ({ body }, usual) => (body.startsWith('{') ? fieldOf(body) : usual()),
    },
    'looks at the status, but not for a token': {
      readToken: ({ status, body }, usual) =>
        status < 300 && body.startsWith('{') ? fieldOf(body) : usual(),
    },
    'answers 200 when the mint cannot be reached': {
      mintFailed: (usual, { reply }) => (reply === null ? jsonAnswer(200, { token: '' }) : usual),
    },
    'returns what it had when the mint fails': fallBackToLast(undefined, () => 'any'),
    'returns the last token of any user while its breaker is open': breakAfterFailure(() => 'any'),
    'returns an expired token of the user when the mint hangs': fallBackToLast(({ cause }) =>
      String(cause).includes('Timeout'),
    ),
    'takes an empty token for one': reads(({ status, body }) =>
      status === 200 && fieldOf(body) === '' ? 'none' : undefined,
    ),
  }),
  ...warning(
    backends({
      'takes any text for the token': reads(({ status, body }) =>
        status < 300 ? (fieldOf(body) ?? body) : undefined,
      ),
      'quotes the mint in its error': {
        mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
      },
      'takes a number for a token': reads(({ status, body }) =>
        status === 200 && typeof fieldOf(body) === 'number' ? String(fieldOf(body)) : undefined,
      ),
      "passes the mint's status on": {
        mintFailed: (usual, { reply }) => ({ ...usual, status: Math.max(reply?.status ?? 502, 400) }),
      },
      'answers in plain text': failsWith({ status: 502, headers: {}, body: 'Bad Gateway' }),
    }),
  ),
  ...all(
    { as: 'untested' },
    backends({
      "returns the user's last token while its breaker is open": breakAfterFailure((userId) => userId),
      'calls the mint for the first token of a user only': keepFirst(),
    }),
  ),
  ...all(
    longLived,
    warning(
      backends({
        "returns the user's last token while it is valid": fallBackToLast(
          ({ reply }, { token }) => reply !== null && isStillValid(String(token), Date.now()),
        ),
        'returns a kept token of the user, and mints the next one meanwhile': mintAhead(),
      }),
    ),
  ),
  ...all(
    waiting({ backendAnswerSeconds: 1, neverSeconds: 2 }),
    backends({ 'never answers': hanging, 'leaves the connection open without an answer': silent }),
  ),
  ...all(
    waiting({ backendAnswerSeconds: 1 }),
    warning(
      backends({
        'does not answer for as long as it is waited for': hanging,
        'leaves every failure open, with no limit that says how long is never': silent,
      }),
    ),
  ),
  'answers late': { ...waiting({ backendAnswerSeconds: 2 }), backend: { mintDeadlineMs: 2500 }, as: 'warn' },
}
