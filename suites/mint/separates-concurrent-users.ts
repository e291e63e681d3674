import { setTimeout } from 'node:timers/promises'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintedToken } from '../../src/roles/mint/driver.ts'
import { jsonAnswer } from './variant-answers.ts'
import { cacheTokens } from './variant-cache.ts'

const mints = 50

export default defineCheck({
  id: 'MINT-13',
  role: 'mint',
  level: 'MUST',
  clauses: ['2.1.4'],
  title: 'never mixes up users who are minted for at the same moment',
  why: 'A variable that two requests share, or a cache with too small a key, gives one person the identity of another, rarely enough to be overlooked.',
  how: 'Fifty tokens are asked for in two bursts, each for an id of its own. A token that holds the id of another of the fifty, or that two of them were given alike, is a failure. Where the claims cannot be read only the latter is seen.',
  mints: 50,
  needs: ['mint'],
  async run({ mint, newUser }, judge) {
    const users = Array.from({ length: mints }, () => newUser())
    const burst = (some: readonly string[]) => Promise.allSettled(some.map((userId) => mint.token(userId)))
    // The second half goes out over connections that are open already, and so arrives closer together.
    const settled = [...(await burst(users.slice(0, mints / 2))), ...(await burst(users.slice(mints / 2)))]
    const tokens = settled.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
    const lost = settled.find((one) => one.status === 'rejected')
    // A limit on the rate may refuse some of a burst: the others are judged all the same.
    if (tokens.length < mints / 2 && lost !== undefined) throw lost.reason
    judge.observe('minted', `${tokens.length} of ${mints}`)

    const holdsAnother = ({ read, userId }: MintedToken) =>
      read !== null && users.some((other) => other !== userId && mint.pathsHolding(read, other).length > 0)
    const mixed = tokens.filter(holdsAnother)
    judge.must(mixed.length === 0, {
      saw: `${mixed.length} of ${tokens.length} tokens that hold the id of another user`,
      expected: 'every token to hold the id that it was asked for',
      evidence: mixed.map(({ exchange }) => exchange),
    })
    if (tokens.every(({ read }) => read?.claims == null))
      judge.onlyObserved('the claims of the token cannot be read')

    const seen = new Map(tokens.map((token) => [token.jwt, token]))
    const alike = tokens.filter((token) => seen.get(token.jwt) !== token)
    judge.must(alike.length === 0, {
      saw: `${alike.length} of ${tokens.length} tokens that another user was given, too`,
      expected: 'a token of its own for every user',
      evidence: alike.map(({ exchange }) => exchange),
    })
  },
  catches: {
    'keeps the token in a variable that requests share': { mint: sharedVariable() },
    'mixes users up now and then': { mint: everyTenthStale() },
    'caches by key': { mint: cacheTokens(({ project }) => project.id) },
    'caches by lifetime': { mint: cacheTokens(({ lifetimeSeconds }) => String(lifetimeSeconds)) },
    'caches by the length of the id': { mint: cacheTokens(({ userId }) => String(userId.length)) },
    'caches by the beginning of the id': { mint: cacheTokens(({ userId }) => userId.slice(0, 6)) },
  },
})

/** Whoever writes while another request waits for its bookkeeping gives that one the wrong token. */
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

/** Every tenth request is answered with the token of the one before. */
function everyTenthStale() {
  let before = ''
  let count = 0
  return {
    success(token: string) {
      const answered = count % 10 === 9 ? before : token
      count += 1
      before = token
      return jsonAnswer({ token: answered })
    },
  }
}
