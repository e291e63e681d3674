import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofMint } from '../lib/broken-rows.ts'
import { cacheTokens, claiming, jsonAnswer } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  ...ofMint({
    'keeps the token in a variable that requests share': sharedVariable(),
    'caches by key': cacheTokens(({ project }) => project.id),
    'caches by the length of the id': cacheTokens(({ userId }) => String(userId.length)),
    'caches by the id in lower case': cacheTokens(({ userId }) => userId.toLowerCase()),
  }),
  'folds the subject, and copies the id elsewhere': {
    mint: claiming((_, { userId }) => ({ sub: userId.toLowerCase(), uid: userId, jti: randomUUID() })),
    as: 'warn',
  },
}

function sharedVariable() {
  let current = ''
  return {
    async success(token: string) {
      current = token
      await setTimeout(5)
      return jsonAnswer({ token: current })
    },
  }
}
