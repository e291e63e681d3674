import type { BrokenVariants } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'
import { keepFirst } from './lib/variant-caches.ts'
import { alsoWithoutDouble, inCookie, inHeader, inJson, inQuery, presenting } from './lib/variants.ts'

export const broken: BrokenVariants = {
  ...warning({
    ...alsoWithoutDouble({ 'prefers the session in a cookie': { backend: presenting(inCookie('session')) } }),
    'prefers the header X-Auth-Token': { backend: presenting(inHeader('x-auth-token')) },
    'prefers access_token of the query': { backend: presenting(inQuery('access_token')) },
    'prefers sessionToken of the body': { backend: presenting(inJson('sessionToken')) },
    'takes a session from the query where there is no bearer': {
      backend: presenting((request) =>
        request.headers.authorization === undefined ? inQuery('token')(request) : undefined,
      ),
    },
  }),
  'keeps one token for everyone': { backend: keepFirst(() => ''), as: 'untested' },
  'mints for everyone under one id': { backend: { userId: () => 'app' }, as: 'untested' },
  'mints for a guest where there is no session': {
    backend: {
      callingToken: async ({ headers }, { authenticate, mint, userId }) =>
        headers.authorization === undefined ? await mint('guest') : await mint(userId(await authenticate())),
    },
    as: 'untested',
  },
  ...alsoWithoutDouble({
    'mints for a guest where two users are named': {
      backend: {
        async callingToken({ headers }, { authenticate, mint, userId, records }) {
          const text = `${headers.authorization ?? ''} ${headers['cookie'] ?? ''}`
          const named = [...records.byToken].filter(([token]) => text.includes(token))
          const users = new Set(named.map(([, session]) => session.userId))
          return await mint(users.size > 1 ? 'guest' : userId(await authenticate()))
        },
      },
    },
  }),
}
