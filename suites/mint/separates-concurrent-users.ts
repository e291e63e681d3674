import { defineCheck } from '../../src/requirement/define.ts'
import type { MintedToken } from '../../src/roles/mint/driver.ts'
import { wereAtOnce } from '../lib/were-at-once.ts'

const mints = 50
/** So many of the ids are another one in capitals. */
const twins = 5

export default defineCheck({
  id: 'MINT-13',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  basis: 'One JWT is never used for two people (2.1.4).',
  title: 'never mixes up users under concurrent requests',
  why: "State shared between two requests, or a cache with too coarse a key, gives one user another user's identity, rarely enough to be overlooked.",
  how: {
    does: [
      'Requests 50 tokens in two bursts, each for a different userId, some of which differ in case only.',
      'Where the claims cannot be read, only duplicate tokens are detected.',
    ],
    fails: ['A token with the id of another of the 50 users, or one token returned to two users.'],
    untested: ['Requests of which no two were under way at once.'],
    warns: ['Another text in one of the claims that carry the ids of ordinary users.'],
  },
  mints: 52,
  needs: ['mint'],
  atOnce: { mint: 2 },
  async run({ mint, newUser }, judge) {
    const plain = Array.from({ length: mints - twins }, () => newUser())
    const users = [...plain, ...plain.slice(0, twins).map((userId) => userId.toUpperCase())]
    const burst = (some: readonly string[]) => Promise.allSettled(some.map((userId) => mint.token(userId)))
    // The second half uses connections that are already open, and so arrives closer together.
    const settled = [...(await burst(users.slice(0, mints / 2))), ...(await burst(users.slice(mints / 2)))]
    const tokens = settled.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
    const lost = settled.find((one) => one.status === 'rejected')
    // A rate limit may reject part of a burst: the rest is judged all the same.
    if (tokens.length < mints / 2 && lost !== undefined) throw lost.reason
    judge.observe('minted', `${tokens.length} of ${mints}`)
    if (!tokens.some((one) => tokens.some((other) => other !== one && wereAtOnce(one, other))))
      judge.untested('no two requests were under way at once')
    const userIdPaths = await mint.userIdPaths()
    const judgeTokens = (
      level: 'must' | 'should',
      isWrong: (token: MintedToken) => boolean,
      words: { readonly saw: string; readonly expected: string; readonly fix: string },
    ) => {
      const wrong = tokens.filter(isWrong)
      const saw = `${wrong.length} of ${tokens.length} tokens ${words.saw}`
      const evidence = wrong.map(({ exchange }) => exchange)
      return judge[level](wrong.length === 0, { ...words, saw, evidence })
    }
    // A mint may show the same id in lower case beside it.
    const areOne = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
    const isUnmixed = judgeTokens(
      'must',
      ({ read, userId }) =>
        read !== null &&
        users.some((other) => !areOne(other, userId) && mint.pathsHolding(read, other).length > 0),
      {
        saw: 'with the userId of another user',
        expected: 'the requested userId in every token (2.1.4)',
        fix: 'Share no state between requests.',
      },
    )
    const isStray = ({ read, userId }: MintedToken) => {
      const held = read?.claims == null ? userIdPaths : mint.pathsHolding(read, userId)
      return userIdPaths.some((path) => !held.includes(path))
    }
    judgeTokens('should', (token) => isUnmixed && isStray(token), {
      saw: `with another text than the userId at one of ${userIdPaths.join(', ')}`,
      expected: 'the requested userId in every claim that carries plain ids (2.1.4)',
      fix: 'Copy the whole userId, in its case, into each claim.',
    })
    if (tokens.every(({ read }) => read?.claims == null))
      judge.onlyObserved('the claims of the token cannot be read')
    const seen = new Map(tokens.map(({ jwt, userId }) => [jwt, userId]))
    judgeTokens('must', ({ jwt, userId }) => seen.get(jwt) !== userId, {
      saw: 'also returned to another user',
      expected: 'a separate token for every user (2.1.4)',
      fix: 'Key every cache by the whole userId.',
    })
  },
})
