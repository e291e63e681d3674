import { setTimeout as delay } from 'node:timers/promises'
import { readToken } from '../../src/base/tokens/decode.ts'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { keepFirst } from '../backend/lib/variant-caches.ts'
import { certainMs } from './reconnects-after-expiry.ts'

export const broken: BrokenVariants = {
  'the backend keeps tokens for ever': { backend: keepFirst() },
  'the backend keeps tokens for ever, and all of them have ended': {
    backend: {
      tokenFor: (userId, { kept, mint }) => {
        const token =
          kept.get(userId) ??
          mint(userId).then(async (minted) => {
            const exp = Number(readToken(String(minted.token))?.claims?.['exp'])
            await delay(exp * 1000 - Date.now() + 2 * certainMs)
            return minted
          })
        kept.set(userId, token)
        return token
      },
    },
  },
  'signaling never refuses an expired token': {
    signaling: { leewaySeconds: 86_400 },
    configuration: { limits: { leewayFailSeconds: 5, leewayWarnSeconds: 5 } },
  },
  'signaling locks a user out after an expired token': {
    signaling: { banKey: (credential) => String(readToken(credential)?.claims?.['sub']) },
  },
  'signaling locks everyone out after an expired token': {
    signaling: { banKey: () => 'everyone' },
    configuration: { limits: { patienceSeconds: 1 } },
    // Also what a protection against brute force does to our address.
    as: 'error',
  },
}
