import { warning } from '../lib/broken-rows.ts'
import { cacheUntil } from './lib/variant-caches.ts'
import { type Backend, backends, isUnanswered, jsonAnswer, printRequest } from './lib/variants.ts'

type Policy = Partial<Backend>
type Failed = Parameters<Backend['mintFailed']>[1]['reply']
type Answer = Parameters<Backend['answer']>[0]

const quoting = (text: (reply: Failed) => string): Policy => ({
  mintFailed: (_, { reply }) => jsonAnswer(502, { error: text(reply) }),
})
const quotingBody = quoting((reply) => `the mint said ${reply?.body ?? 'nothing'}`)
const withoutKey = (text = '') => text.replaceAll(/ac_live_\w+/g, '[key]')
/** A backend that reads a success which is neither JSON nor a token. */
const readingText = (read: (body: string) => string): Policy => ({
  readToken: ({ status, body }, usual) =>
    status === 200 && !body.startsWith('{') && !body.startsWith('ey') ? read(body) : usual(),
})
const withHeader = (usual: Answer, name: string, value = ''): Answer => ({
  ...usual,
  headers: { ...usual.headers, [name]: value },
})
const tellingWhenRefused = (show: (key: string) => string): Policy =>
  withKey((key) => quoting(() => `the mint refused ${show(key())}`))

export const broken = {
  ...backends({
    "quotes the mint's failure": quotingBody,
    "quotes the mint's failure, and keeps tokens until a minute before their end": {
      ...cacheUntil(({ expiresAt }) => expiresAt - 60_000),
      ...quotingBody,
    },
    "passes the mint's success on": {
      success: (usual, { reply }) => (reply.body.startsWith('{') ? { ...usual, body: reply.body } : usual),
    },
    "copies the mint's headers when it fails": {
      mintFailed: (usual, { reply }) => withHeader(usual, 'x-mint', reply?.headers['www-authenticate']),
    },
    "quotes the mint's status text": quoting((reply) => `mint: ${reply?.statusText ?? 'nothing'}`),
    'adds the unreadable success to the token': readingText((body) => `mint: ${body}`),
    'prints its request when the connection breaks': printRequest((headers) => headers, isUnanswered),
    'tells the key to anyone who is refused': withKey((key) => ({
      refuseSession: () => jsonAnswer(401, { error: 'sign in first', settings: { key: key() } }),
    })),
    'tells the key in a header of what it does not take': withKey((key) => ({
      answer: (usual, { method }) => (method === 'PUT' ? withHeader(usual, 'x-config', key()) : usual),
    })),
    'tells the key in a header where the body is malformed': withKey((key) => ({
      answer: (usual, { body }) =>
        body !== '' && !body.endsWith('}')
          ? withHeader({ ...usual, status: 400 }, 'x-config', btoa(key()))
          : usual,
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
    'tells the key without its prefix': tellingWhenRefused((key) => key.replace('ac_live_', '')),
    'tells the first 20 characters of the key': tellingWhenRefused((key) => `${key.slice(0, 20)}…`),
  }),
  ...warning(
    backends({
      'hands an unreadable success out as the token': readingText((body) => body),
      "passes the mint's words on without the key": quoting((reply) => withoutKey(reply?.body)),
      "passes the mint's status text on without the key": quoting((reply) => withoutKey(reply?.statusText)),
    }),
  ),
}

function withKey(create: (key: () => string) => Policy): Policy {
  let known = ''
  return {
    mintCall: (usual, { apiKey }) => {
      known = apiKey
      return usual
    },
    ...create(() => known),
  }
}
