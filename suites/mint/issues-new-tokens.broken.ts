import { ofMint, warning } from '../lib/broken-rows.ts'
import { cacheTokens } from './lib/variant-answers.ts'

export const broken = warning(
  ofMint({
    'caches by user': cacheTokens(({ userId }) => userId),
    'caches by user and lifetime': cacheTokens(
      ({ userId, lifetimeSeconds }) => `${lifetimeSeconds} ${userId}`,
    ),
    'caches by key': cacheTokens(({ project }) => project.id),
  }),
)
