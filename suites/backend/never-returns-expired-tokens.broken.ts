import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { each, warning } from '../lib/broken-rows.ts'
import { cacheUntil, failAfterExpiry, fallBackToLast } from './lib/variant-caches.ts'

const keeping = (...cache: Parameters<typeof cacheUntil>): Catch => ({ backend: cacheUntil(...cache) })

export const broken: BrokenVariants = {
  'keeps tokens for ever': keeping(() => Number.POSITIVE_INFINITY),
  'keeps tokens 4 s too long': keeping(({ expiresAt }) => expiresAt + 4000),
  'keeps tokens as long as they are used': keeping(({ usedAt }) => usedAt + 3000),
  'goes by the expiry of whichever token came last': keeping(({ lastExpiresAt }) => lastExpiresAt),
  'falls back on an expired token when the mint fails': { backend: fallBackToLast() },
  ...each('falls back on an expired token when the mint answers *', [429, 401, 200], (status) => ({
    backend: fallBackToLast(({ reply }) => reply?.status === status),
  })),
  'falls back on an expired token when the mint cannot be reached': {
    backend: fallBackToLast(({ reply }) => reply === null),
  },
  'gives up once a kept token has expired': { backend: failAfterExpiry() },
  ...warning({
    'keeps tokens until they expire': keeping(({ expiresAt }) => expiresAt),
    'keeps tokens until shortly before they expire': keeping(({ expiresAt }) => expiresAt - 300),
  }),
}
