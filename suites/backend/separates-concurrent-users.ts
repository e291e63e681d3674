import { readToken } from '../../src/base/tokens/decode.ts'
import { pathsHolding } from '../../src/base/tokens/find-user-claim.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import { findMintedUser } from './find-minted-user.ts'
import { cacheUntil } from './variant-caches.ts'
import {
  answerInOrder,
  cacheInSlot,
  shareInFlight,
  storeReplyInVariable,
  storeUserInVariable,
} from './variant-sharing.ts'
import { shortLifetime } from './with-short-lived-tokens.ts'

const requestsOfEach = 25
/** Fewer tokens than this per user show nothing about concurrent requests. */
const enough = 5
const longestDelayMs = 40

export default defineCheck({
  id: 'BACK-11',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  title: 'never mixes up users under concurrent requests',
  why: "State shared between two requests, or one mint call shared by two users, gives one user another user's identity, rarely enough to be overlooked.",
  how: "Two users send 25 requests each, all at once, while the suite's mint double answers out of order. Expects for each user only tokens minted for that user. A token minted for the other user, with the other user's id in its claims, or returned to both, fails.",
  mints: 52,
  needs: ['backend', 'bob', 'mintDouble'],
  phase: 'exclusive',
  async run({ backend, bob, mintDouble, clock, random, configuration }, judge) {
    const { userIdClaim } = configuration.token
    await mintDouble.runExclusive(async (double) => {
      double.lifetime(shortLifetime)
      const alice = { session: backend.alice, id: await idOf(backend.alice, double) }
      const other = { session: bob, id: await idOf(bob, double) }
      double.answer(async (_, ordinary) => {
        const answer = await ordinary()
        await clock.until(clock.monotonic() + random() * longestDelayMs)
        return answer
      })
      const asked = Array.from({ length: requestsOfEach }, () => [alice, other]).flat()
      const got = (
        await Promise.all(
          asked.map(async (user) => {
            const reply = await backend.request({ session: user.session.token, followRedirects: true })
            const jwt = backend.tokenOf(reply)
            return jwt === null ? [] : [{ user, jwt, exchange: reply.exchange }]
          }),
        )
      ).flat()
      double.answer(null)
      judge.observe('answered', `${got.length} of ${asked.length}`)
      // A rate limit may reject some of them: the rest is judged all the same.
      if ([alice, other].some((user) => got.filter((one) => one.user === user).length < enough))
        judge.untested(`only ${got.length} of ${asked.length} concurrent requests got a token`)

      const idsOf = mintedIds(double.calls())
      const names = (jwt: string, id: string) =>
        pathsHolding(readToken(jwt)?.claims ?? {}, id, userIdClaim).length > 0
      const isOfAnother = ({ user, jwt }: (typeof got)[number]) => {
        const another = user === alice ? other : alice
        const ids = idsOf.get(jwt)
        if (ids !== undefined && !ids.has(user.id)) return true
        return (
          (names(jwt, another.id) && !names(jwt, user.id)) ||
          got.some((one) => one.user === another && one.jwt === jwt)
        )
      }
      const mixed = got.filter(isOfAnother)
      judge.must(mixed.length === 0, {
        saw: `${mixed.length} of ${got.length} tokens that belong to another user`,
        expected: "the session user's token for every request (2.1.4)",
        fix: 'Share no state or mint call between users.',
        evidence: mixed.slice(0, 4).map(({ exchange }) => exchange),
      })
    })

    /** The id for which the backend mints without concurrency; the configured one where it does not call the mint. */
    async function idOf(session: UserSession, double: ScriptedMint): Promise<string> {
      const { jwt } = await backend.token(session)
      return findMintedUser(double, jwt) ?? session.userId
    }
  },
  catches: {
    'shares a mint call that is under way': { backend: shareInFlight(() => 'everyone') },
    'shares a mint call between ids of the same beginning': {
      backend: shareInFlight((userId) => userId.slice(0, 2)),
    },
    'keeps the user in a variable': { backend: storeUserInVariable() },
    "keeps the mint's answer in a variable": { backend: storeReplyInVariable() },
    'keeps one token for everyone': {
      backend: cacheUntil(
        ({ expiresAt }) => expiresAt,
        () => 'everyone',
      ),
    },
    'keeps the last token for a moment': { backend: cacheInSlot(20) },
    'answers in the order in which the mint does': { backend: answerInOrder() },
  },
})

/** The userIds of each token's mint calls. */
function mintedIds(calls: readonly DoubleCall[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>()
  for (const { issued, userId } of calls)
    if (issued !== null && userId !== null) ids.set(issued, (ids.get(issued) ?? new Set()).add(userId))
  return ids
}
