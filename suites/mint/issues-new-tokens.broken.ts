import type { BrokenVariants } from '../../src/requirement/define.ts'
import { cacheTokens } from './lib/variant-cache.ts'

export const broken: BrokenVariants = {
  'caches by user': { mint: cacheTokens(({ userId }) => userId), as: 'warn' },
  'caches by user and lifetime': {
    mint: cacheTokens(({ userId, lifetimeSeconds }) => `${lifetimeSeconds} ${userId}`),
    as: 'warn',
  },
  'caches by key': { mint: cacheTokens(({ project }) => project.id), as: 'warn' },
}
