import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from '../backend/lib/variants.ts'

export const broken: BrokenVariants = {
  'answers 200 with an error': {
    backend: { mintFailed: () => jsonAnswer(200, { error: 'calling is not available' }) },
  },
  'answers 200 without a token': { backend: { mintFailed: () => jsonAnswer(200, { token: null }) } },
  'multiplies a refused request': {
    backend: {
      tokenFor: async (userId, { mint }) => {
        for (let tries = 1; tries < 10; tries += 1) {
          const minted = await mint(userId).catch(() => null)
          if (minted !== null) return minted
        }
        return await mint(userId)
      },
    },
    as: 'warn',
  },
}
