import { defineCheck } from '../../src/requirement/define.ts'
import { cacheTokens } from './lib/variant-cache.ts'

/** Time claims have a resolution of one second: two tokens differ in them only after more than that. */
const pauseMs = 1100

export default defineCheck({
  id: 'MINT-14',
  role: 'mint',
  level: 'SHOULD',
  kind: 'positive',
  clauses: ['5.5'],
  title: 'issues a new token for every request',
  why: 'A cached token has used up part of its lifetime, so the app gets less time than requested, or none.',
  how: {
    does: ['Requests two tokens for the same user, 1.1 seconds apart.'],
    warns: ['The same token twice.'],
  },
  mints: 2,
  needs: ['mint'],
  async run({ mint, newUser, clock }, judge) {
    const userId = newUser()
    const first = await mint.token(userId)
    await clock.until(first.receivedAt + pauseMs)
    const second = await mint.token(userId)
    judge.should(first.jwt !== second.jwt, {
      saw: 'the same token for two requests 1.1 seconds apart',
      expected: 'a new token for each request (5.5)',
      fix: 'Do not cache tokens in the mint.',
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
