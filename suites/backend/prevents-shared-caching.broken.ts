import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'

const soon = 'public, max-age=60'

export const broken: BrokenVariants = {
  'takes POST only where GET is configured': {
    backend: { methods: ['POST'] },
    configuration: { backend: { method: 'GET' } },
  },
  'takes GET only where POST is configured': { backend: { methods: ['GET'] } },
  'lets every cache keep the token': cacheable({ 'cache-control': soon }),
  'lets shared caches keep the token': cacheable({ 'cache-control': 's-maxage=30, max-age=0' }),
  'calls the token public without a lifetime': cacheable({ 'cache-control': 'public' }),
  'lets caches keep the token and varies by cookie': cacheable({
    'cache-control': soon,
    vary: 'Cookie, Accept-Encoding',
  }),
  'lets caches keep the token, with a lifetime by date': cacheable({
    'cache-control': 'must-revalidate',
    expires: 'Fri, 31 Dec 2100 23:59:59 GMT',
  }),
  'lets caches hand the token out while they renew it': cacheable({
    'cache-control': 'public, max-age=0, stale-while-revalidate=60',
  }),
  'calls the token public for content networks': cacheable({ 'cdn-cache-control': 'public' }),
  'lets surrogates keep the token': cacheable({ 'surrogate-control': 'max-age=60+10, content="ESI/1.0"' }),
  'has one ETag for all users': {
    backend: {
      answer: (usual, { headers: asked }) => {
        const headers = { ...usual.headers, 'cache-control': 'public, no-cache', etag: '"token-v1"' }
        return asked['if-none-match'] === '"token-v1"'
          ? { status: 304, headers, body: '' }
          : { ...usual, headers }
      },
    },
  },
  ...warning({
    'lets surrogates keep the token of a POST': {
      backend: { methods: ['POST'], ...cacheable({ 'surrogate-control': 'max-age=60' }).backend },
    },
    'says nothing about caches': {
      backend: {
        success: ({ status, body }) => ({ status, headers: { 'content-type': 'application/json' }, body }),
      },
    },
    "lets the user's own cache keep the token": cacheable({ 'cache-control': 'private, max-age=60' }),
    'lets caches keep the token for each session': cacheable({
      'cache-control': soon,
      vary: 'Origin, Authorization',
    }),
    'lets caches keep the token if it has not changed': cacheable({
      'cache-control': 'public, no-cache',
      etag: '"some"',
    }),
  }),
}

function cacheable(headers: Readonly<Record<string, string>>): Catch {
  return { backend: { success: (usual) => ({ ...usual, headers: { ...usual.headers, ...headers } }) } }
}
