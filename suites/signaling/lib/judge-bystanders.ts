import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, Refused } from '../../../src/roles/signaling/attempt.ts'
import { isRejected } from '../../../src/roles/signaling/driver.ts'
import { readNamedUser } from '../../../src/roles/signaling/named-user.ts'
import { findBanned } from '../../lib/find-banned.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** A user who has offered nothing but genuine tokens, and how the last one fared. */
interface Bystander {
  readonly userId: string
  readonly made: Attempt
}

/** A difference that comes with every rejection, and with nothing else, has no other cause. */
const rounds = 3
const mostAsked = 4

/**
 * Judges users who joined before or while another one was rejected: each joins as itself, and is not rejected in the other's place.
 * @param reject offers a tampered token of `rejected`
 * @returns false where it has found a breach
 */
export async function judgeBystanders(
  bystanders: readonly Bystander[],
  { paths, rejected, reject }: { paths: readonly string[]; rejected: string; reject(): Promise<Attempt> },
  parts: Parts,
  judge: Judge,
): Promise<boolean> {
  const others = bystanders.filter(({ userId }) => userId !== rejected)
  const inherited = others.filter(
    ({ userId, made }) => made.outcome === 'accepted' && readNamedUser(made, paths, userId) === rejected,
  )
  const isOwn = judge.must(inherited.length === 0, {
    saw: `a fresh token accepted, and the user of a rejected token named as the one who joined, ${inherited.length} of ${bystanders.length} times`,
    expected: "the token's user (5.4)",
    fix: 'Take the user from the token that was accepted, and keep nothing of one that was rejected.',
    evidence: inherited.map(({ made }) => made.exchange),
  })
  if (!isOwn) return false
  const { available, callingTokens, signaling } = parts
  const mint = available('mint')
  const users = others.slice(0, mostAsked).map(({ userId }) => userId)
  const banned =
    mint &&
    (await findBanned<Attempt>(users, {
      askFor: async (userId) => signaling.join(await mint.token(userId)),
      askForOther: async () => signaling.join(await callingTokens.fresh()),
      isServed: ({ outcome }) => outcome === 'accepted',
      isRejected,
    }))
  const isServed = judge.must(!banned, {
    saw: `fresh tokens of a user who was never rejected not accepted any more after another user was rejected, while other users are accepted: signaling ${banned?.summary}`,
    expected: 'a fresh token accepted (3, 5.6)',
    fix: 'Count and ban only the user, or the client, whose token was rejected.',
    evidence: banned ? [banned.exchange] : [],
  })
  if (!isServed || !bystanders.some(({ made }) => isRejected(made))) return isServed
  const spilled = await findSpilled(reject, parts)
  return judge.must(spilled === null, {
    saw: `a fresh token not accepted directly after another user was rejected, ${rounds} of ${rounds} times, and the next one accepted: signaling ${spilled?.summary}`,
    expected: 'every fresh token accepted (3, 5.6)',
    fix: 'Keep nothing of a rejected client for the next one.',
    evidence: spilled === null ? [] : [spilled.exchange],
  })
}

/** The last of some rejections that followed another user's each, and a success each; null where one did not. */
async function findSpilled(
  reject: () => Promise<Attempt>,
  { callingTokens, signaling }: Parts,
): Promise<Refused | null> {
  let last: Refused | null = null
  for (let round = 0; round < rounds; round += 1) {
    if (!isRejected(await reject())) return null
    const next = await signaling.join(await callingTokens.fresh())
    const later = await signaling.join(await callingTokens.fresh())
    if (!isRejected(next) || later.outcome !== 'accepted') return null
    last = next
  }
  return last
}
