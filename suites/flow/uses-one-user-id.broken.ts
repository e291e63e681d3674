import type { BrokenVariants } from '../../src/requirement/define.ts'
import { claiming } from '../mint/lib/variant-answers.ts'

export const broken: BrokenVariants = {
  'the backend folds case': { backend: { userId: ({ userId }) => userId.toLowerCase() } },
  'the backend prefixes the id': { backend: { userId: ({ userId }) => `acme|${userId}` } },
  'the backend mints for everyone under one id': { backend: { userId: () => 'app' } },
  'the mint folds case': { mint: claiming((_, { userId }) => ({ sub: userId.toLowerCase() })) },
  'the mint prefixes the id by another text each time': {
    mint: claiming((_, { userId }) => ({ sub: `${crypto.randomUUID()}:${userId}` })),
  },
}
