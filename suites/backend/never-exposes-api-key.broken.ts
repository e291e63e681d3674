import type { BrokenVariants, Catch, Policies } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { cacheUntil } from './lib/variant-caches.ts'
import { isUnanswered, printRequest } from './lib/variant-leaks.ts'

/** Mistakes of a backend, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['backend']>>> = {
  "passes the mint's failure on": {
    mintFailed: (usual, { reply }) => ({ ...usual, body: reply?.body ?? usual.body }),
  },
  "quotes the mint's failure": {
    mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
  },
  "quotes the mint's failure, and keeps tokens until a minute before their end": {
    ...cacheUntil(({ expiresAt }) => expiresAt - 60_000),
    mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
  },
  "passes the mint's success on": {
    success: (usual, { reply }) => (reply.body.startsWith('{') ? { ...usual, body: reply.body } : usual),
  },
  "copies the mint's headers": {
    success: (usual, { reply }) => ({
      ...usual,
      headers: { ...usual.headers, 'x-mint': reply.headers['x-request'] ?? '' },
    }),
  },
  "copies the mint's headers when it fails": {
    mintFailed: (usual, { reply }) => ({
      ...usual,
      headers: { ...usual.headers, 'x-mint': reply?.headers['www-authenticate'] ?? '' },
    }),
  },
  "quotes the mint's status text": {
    mintFailed: (_, { reply }) => jsonAnswer(502, { error: `mint: ${reply?.statusText ?? 'nothing'}` }),
  },
  "quotes the mint's status text with a token": {
    success: (_, { token, reply }) => jsonAnswer(200, { token, upstream: reply.statusText }),
  },
  'quotes what it could not read': {
    mintFailed: (usual, { reply }) =>
      reply !== null && reply.status === 200
        ? jsonAnswer(502, { error: `no token in ${reply.body}` })
        : usual,
  },
  'adds the unreadable success to the token': {
    readToken: ({ status, body }, usual) =>
      status === 200 && !body.startsWith('{') && !body.startsWith('ey') ? `mint: ${body}` : usual(),
  },
  'prints its request when the connection breaks': printRequest((headers) => headers, isUnanswered),
  'prints its request in base64': printRequest(
    (headers) => Buffer.from(JSON.stringify(headers)).toString('base64'),
    isUnanswered,
  ),
  'prints its request in hex': printRequest(
    (headers) => Buffer.from(JSON.stringify(headers)).toString('hex'),
    isUnanswered,
  ),
  'prints its request percent-encoded': printRequest(
    (headers) => JSON.stringify(headers).replace(/\W|_/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
    isUnanswered,
  ),
  'tells the key to anyone who is refused': withKey((key) => ({
    refuseSession: () => jsonAnswer(401, { error: 'sign in first', settings: { key: key() } }),
  })),
  'tells the key in a header of what it does not take': withKey((key) => ({
    answer: (usual, { method }) => (method === 'PUT' ? addHeader(usual, 'x-config', key()) : usual),
  })),
  'tells the key in a header where the body is malformed': withKey((key) => ({
    answer: (usual, { body }) =>
      body !== '' && !body.endsWith('}')
        ? addHeader({ ...usual, status: 400 }, 'x-config', btoa(key()))
        : usual,
  })),
  'tells the key in a header where the session is malformed': withKey((key) => ({
    answer: (usual, { headers }) =>
      headers.authorization?.includes('"') ? addHeader(usual, 'x-config', key()) : usual,
  })),
  'tells the key in a debug header': withKey((key) => ({
    answer: (usual, { headers }) => (headers['x-debug'] === '1' ? addHeader(usual, 'x-debug', key()) : usual),
  })),
  'returns its key in place of a token, and calls no mint': withKey((key) => ({
    callMint: async () => ({ status: 200, statusText: 'OK', headers: {}, body: '' }),
    readToken: key,
  })),
  'returns its key without a token': withKey((key) => ({
    success: () => jsonAnswer(200, { apiKey: key() }),
  })),
  'tells the key in a trailer': withKey((key) => ({
    answer: (usual) => ({ ...usual, trailers: { 'x-mint-key': key() } }),
  })),
  'tells the key without its prefix': withKey((key) => ({
    mintFailed: () => jsonAnswer(502, { error: `the mint refused ${key().replace('ac_live_', '')}` }),
  })),
  'tells the first 20 characters of the key': withKey((key) => ({
    mintFailed: () => jsonAnswer(502, { error: `the mint refused ${key().slice(0, 20)}…` }),
  })),
}

export const broken: BrokenVariants = {
  ...rows(wrong, (backend) => ({ backend })),
  'hands an unreadable success out as the token': {
    backend: {
      readToken: ({ status, body }, usual) =>
        status === 200 && !body.startsWith('{') && !body.startsWith('ey') ? body : usual(),
    },
    as: 'warn',
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
