import { isStillValid } from '../../src/base/tokens/token-lifetime.ts'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows, warning } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { breakAfterFailure, fallBackToLast, mintAhead } from './lib/variant-caches.ts'
import { printRequest } from './lib/variant-leaks.ts'

/** Mistakes of a backend, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['backend']>>> = {
  'answers 200 with an error': { mintFailed: () => jsonAnswer(200, { error: 'no calling' }) },
  'answers 200 with nothing': { mintFailed: () => jsonAnswer(200, {}) },
  'answers 200 with null': { mintFailed: () => jsonAnswer(200, { token: null }) },
  'answers 204': { mintFailed: () => ({ status: 204, headers: {}, body: '' }) },
  'prints its request where the mint redirects': printRequest(
    (headers) => headers,
    (reply) => reply !== null && reply.status >= 300 && reply.status <= 399,
  ),
  'makes a token up': {
    mintFailed: () => jsonAnswer(502, { error: 'x', token: 'eyJhbGciOiJub25lIn0.e30.' }),
  },
  'never looks at the status': {
    readToken: ({ body }, usual) => (body.startsWith('{') ? fieldOf(body) : usual()),
  },
  'looks at the status, but not for a token': {
    readToken: ({ status, body }, usual) => (status < 300 && body.startsWith('{') ? fieldOf(body) : usual()),
  },
  'takes a limit for a success': { readToken: ({ status }, usual) => (status === 429 ? 'later' : usual()) },
  'answers 200 when the mint cannot be reached': {
    mintFailed: (usual, { reply }) => (reply === null ? jsonAnswer(200, { token: '' }) : usual),
  },
  'returns what it had when the mint fails': {
    tokenFor: (userId, { mint, kept }) => {
      const last = kept.get('any')
      const minted = mint(userId)
      minted.then(() => kept.set('any', minted)).catch(() => undefined)
      return minted.catch((failure) => last ?? Promise.reject(failure))
    },
  },
  'returns the last token of any user while its breaker is open': breakAfterFailure(() => 'any'),
  'returns an expired token of the user when the mint hangs': fallBackToLast(({ cause }) =>
    String(cause).includes('Timeout'),
  ),
  'takes an empty token for one': {
    readToken: ({ status, body }, usual) => (status === 200 && fieldOf(body) === '' ? 'none' : usual()),
  },
  'takes a redirect for a success': {
    mintFailed: (usual, { reply }) =>
      reply !== null && reply.status >= 300 && reply.status < 400 ? jsonAnswer(200, { token: '' }) : usual,
  },
}

/** These only warn. */
const careless: Readonly<Record<string, NonNullable<Catch['backend']>>> = {
  'takes any text for the token': {
    readToken: ({ status, body }, usual) => (status < 300 ? (fieldOf(body) ?? body) : usual()),
  },
  'takes any text but markup and JSON for the token': {
    readToken: ({ status, body }, usual) =>
      status === 200 && body !== '' && !/^[<{["]/.test(body) ? body : usual(),
  },
  'takes an empty body for the token': {
    readToken: ({ status, body }, usual) => (status === 200 && body === '' ? '' : usual()),
  },
  'quotes the mint in its error': {
    mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
  },
  'takes a number for a token': {
    readToken: ({ status, body }, usual) =>
      status === 200 && typeof fieldOf(body) === 'number' ? String(fieldOf(body)) : usual(),
  },
  "passes the mint's status on": {
    mintFailed: (usual, { reply }) => ({ ...usual, status: Math.max(reply?.status ?? 502, 400) }),
  },
  'answers 429 to every failure': { mintFailed: (usual) => ({ ...usual, status: 429 }) },
  'answers 500': { mintFailed: (usual) => ({ ...usual, status: 500 }) },
  'answers 401': { mintFailed: (usual) => ({ ...usual, status: 401 }) },
  'answers in plain text': { mintFailed: () => ({ status: 502, headers: {}, body: 'Bad Gateway' }) },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (backend) => ({ backend })),
  ...warning(rows(careless, (backend) => ({ backend }))),
  "returns the user's last token while its breaker is open": {
    backend: breakAfterFailure((userId) => userId),
    as: 'untested',
  },
  'calls the mint for the first token of a user only': {
    backend: {
      tokenFor: (userId, { kept, mint }) => {
        const token = kept.get(userId) ?? mint(userId)
        kept.set(userId, token)
        token.catch(() => kept.delete(userId))
        return token
      },
    },
    as: 'untested',
  },
  "returns the user's last token while it is valid": {
    backend: fallBackToLast(
      ({ reply }, { token }) => reply !== null && isStillValid(String(token), Date.now()),
    ),
    mint: { ttl: { defaultSeconds: 900, floorSeconds: 60, ceilingSeconds: 3600 } },
    as: 'warn',
  },
  'returns a kept token of the user, and mints the next one meanwhile': {
    backend: mintAhead(),
    mint: { ttl: { defaultSeconds: 900, floorSeconds: 60, ceilingSeconds: 3600 } },
    as: 'warn',
  },
  'never answers': {
    backend: { mintDeadlineMs: Number.POSITIVE_INFINITY },
    configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 2 } },
  },
  'does not answer for as long as it is waited for': {
    backend: { mintDeadlineMs: Number.POSITIVE_INFINITY },
    configuration: { limits: { backendAnswerSeconds: 1 } },
    as: 'warn',
  },
  'answers late': {
    backend: { mintDeadlineMs: 2500 },
    configuration: { limits: { backendAnswerSeconds: 2 } },
    as: 'warn',
  },
  'leaves the connection open without an answer': {
    backend: {
      answer: (usual) => (usual.status === 502 ? new Promise<never>(() => {}) : usual),
    },
    configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 2 } },
  },
  'leaves every failure open, with no limit that says how long is never': {
    backend: {
      answer: (usual) => (usual.status === 502 ? new Promise<never>(() => {}) : usual),
    },
    configuration: { limits: { backendAnswerSeconds: 1 } },
    as: 'warn',
  },
}

function fieldOf(body: string): unknown {
  try {
    return JSON.parse(body).token
  } catch {
    return undefined
  }
}
