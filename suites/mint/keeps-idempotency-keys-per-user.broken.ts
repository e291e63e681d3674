import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofMint, rows } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

type Mint = NonNullable<Catch['mint']>
type Asked = Parameters<NonNullable<Mint['answer']>>[1]
type KeyOf = (request: Asked) => string | undefined

const keyIn =
  (name: string): KeyOf =>
  ({ headers }) =>
    headers[name]
const usualKey = keyIn('idempotency-key')
const fieldsOf = ({ body }: Asked) => JSON.parse(body ?? '{}')
/** A store of each API key. */
const perApiKey =
  (keyOf: KeyOf): KeyOf =>
  (request) =>
    keyOf(request) && `${request.headers['authorization']} ${keyOf(request)}`

const stores: Readonly<Record<string, KeyOf>> = {
  'stores responses by Idempotency-Key and API key': perApiKey(usualKey),
  'stores responses by X-Idempotency-Key': perApiKey(keyIn('x-idempotency-key')),
  'stores responses by X-Request-Id': perApiKey(keyIn('x-request-id')),
  'stores responses by a field of the body': perApiKey((request) => fieldsOf(request).idempotencyKey),
  'stores responses by a field of the query': ({ url }) =>
    url.searchParams.get('idempotencyKey') ?? undefined,
  'stores as much of the key as its column holds': perApiKey((request) => usualKey(request)?.slice(0, 64)),
  'compares keys without their case': perApiKey((request) => usualKey(request)?.toLowerCase()),
  'looks for a stored response before it verifies the API key': (request) =>
    usualKey(request) && `${usualKey(request)} ${request.body}`,
}

export const broken: BrokenVariants = {
  ...rows(stores, (keyOf) => ({ mint: replay(keyOf) })),
  ...ofMint({
    'answers those who ask meanwhile with what the first one gets': replay(perApiKey(usualKey), 2_000),
    'mints anew for the user whom the key was used for first': rememberUser(),
  }),
  'takes any API key, and stores no responses': {
    mint: { keyMatches: (presented) => presented.startsWith('ac_live_') },
    as: 'untested',
  },
}

/**
 * A mint that answers a key which it has seen with the response that it gave first.
 * @param takesMs how long a request takes, behind which its response is forgotten; absent: it is kept
 */
function replay(keyOf: KeyOf, takesMs?: number): Mint {
  // One variant may serve several mints in turn, so each has its own store.
  const stored = new WeakMap<object, Map<string, ReturnType<NonNullable<Mint['answer']>>>>()
  return {
    async answer(usual, request, { signing }) {
      const key = keyOf(request)
      if (key === undefined) return usual
      const store = stored.get(signing) ?? new Map()
      stored.set(signing, store)
      const known = store.get(key)
      if (known !== undefined) return await known
      if (usual.status !== 200) return usual
      const given = setTimeout(takesMs, usual)
      store.set(key, given)
      if (takesMs !== undefined) given.then(() => store.delete(key)).catch(() => undefined)
      return await given
    },
  }
}

function rememberUser(): Mint {
  const users = new Map<string, string>()
  return {
    async answer(usual, request, { issueFreely }) {
      const key = usualKey(request)
      if (key === undefined || usual.status !== 200) return usual
      const first = users.get(key) ?? String(fieldsOf(request).userId)
      users.set(key, first)
      return jsonAnswer({ token: await issueFreely(first) })
    },
  }
}
