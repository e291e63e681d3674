import { defineCheck } from '../../src/requirement/define.ts'
import { cacheTokens } from './variant-cache.ts'

/** Claims have whole seconds: only after more than one can two tokens be told apart by them. */
const pauseMs = 1100

export default defineCheck({
  id: 'MINT-14',
  role: 'mint',
  level: 'SHOULD',
  clauses: ['5.5'],
  title: 'issues a new token each time it is asked',
  why: 'A token out of a cache has lived for a while: the app gets less time than it was promised, or none.',
  how: 'Two tokens are asked for the same user, 1.1 seconds apart. The same token twice is a warning.',
  mints: 2,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    const userId = newUser()
    const first = await mint.token(userId)
    await clock.until(first.receivedAt + pauseMs)
    const second = await mint.token(userId)
    judge.should(first.jwt !== second.jwt, {
      saw: 'the same token for two requests, 1.1 seconds apart',
      expected: 'a new token for each',
      evidence: [first.exchange, second.exchange],
    })
  },
  catches: {
    'caches by user': { mint: cacheTokens(({ userId }) => userId), as: 'warn' },
    'caches by user and lifetime': {
      mint: cacheTokens(({ userId, lifetimeSeconds }) => `${lifetimeSeconds} ${userId}`),
      as: 'warn',
    },
    'caches by key': { mint: cacheTokens(({ project }) => project.id), as: 'warn' },
  },
})
