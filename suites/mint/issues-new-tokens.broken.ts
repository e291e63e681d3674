import { ofMint, warning } from '../lib/broken-rows.ts'
import { cacheTokens } from './lib/variant-answers.ts'

export const broken = warning(
  ofMint({
    'caches by user': cacheTokens(({ userId }) => userId),
    'caches by key': cacheTokens(({ project }) => project.id),
  }),
)
