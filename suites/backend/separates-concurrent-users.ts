import { readToken } from '../../src/base/tokens/decode.ts'
import { pathsHolding } from '../../src/base/tokens/find-user-claim.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
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
/** Fewer tokens than this of a user say nothing about simultaneous users. */
const enough = 5
const longestDelayMs = 40

export default defineCheck({
  id: 'BACK-11',
  role: 'backend',
  level: 'MUST',
  clauses: ['2.1.4'],
  title: 'never mixes up users who ask at the same moment',
  why: 'A variable that two requests share, or a request to the mint that two users share, gives one person the identity of another, rarely enough to be overlooked.',
  how: "Two users ask 25 times each, all at once, while the suite's mint double answers out of order. Each must get a token that was minted for them: one minted for the other, with the other's id in its claims, or handed to both, is a failure.",
  mints: 52,
  needs: ['backend', 'bob', 'mintDouble'],
  phase: 'exclusive',
  async run({ backend, bob, mintDouble, clock, random, configuration }, judge) {
    const { userIdClaim } = configuration.token
    await mintDouble.alone(async (double) => {
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
      // A limit on the rate may refuse some of them: the others are judged all the same.
      if ([alice, other].some((user) => got.filter((one) => one.user === user).length < enough))
        judge.untested(`only ${got.length} of ${asked.length} simultaneous requests got a token`)

      const idsOf = mintedIds(double.calls())
      const holds = (jwt: string, id: string) =>
        pathsHolding(readToken(jwt)?.claims ?? {}, id, userIdClaim).length > 0
      const isOfAnother = ({ user, jwt }: (typeof got)[number]) => {
        const stranger = user === alice ? other : alice
        const ids = idsOf.get(jwt)
        if (ids !== undefined && !ids.has(user.id)) return true
        return (
          (holds(jwt, stranger.id) && !holds(jwt, user.id)) ||
          got.some((one) => one.user === stranger && one.jwt === jwt)
        )
      }
      const mixed = got.filter(isOfAnother)
      judge.must(mixed.length === 0, {
        saw: `${mixed.length} of ${got.length} tokens that belong to another user`,
        expected: 'everyone to get a token of their own',
        evidence: mixed.slice(0, 4).map(({ exchange }) => exchange),
      })
    })

    /** The id that the backend mints for when nobody else asks; as configured where it does not call the mint. */
    async function idOf(session: UserSession, double: ScriptedMint): Promise<string> {
      const before = double.calls().length
      await backend.token(session)
      return double.calls()[before]?.userId ?? session.userId
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

/** The ids that each token was minted for. */
function mintedIds(calls: readonly DoubleCall[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>()
  for (const { issued, userId } of calls)
    if (issued !== null && userId !== null) ids.set(issued, (ids.get(issued) ?? new Set()).add(userId))
  return ids
}
