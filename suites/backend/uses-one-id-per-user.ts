import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { leaveUndecided } from './lib/describe-reply.ts'
import { failFirstCall } from './lib/fail-first-call.ts'
import { type SeenToken, type Sight, tokensTellNoUser, withSight } from './lib/sight.ts'

export default defineCheck({
  id: 'BACK-05',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  basis: 'Each end user has one stable userId, and no two share one (2.1.4).',
  title: 'uses one stable and distinct userId per user',
  why: 'Peers dial the userId. If it changes between calls or devices, the user cannot be reached; if two users share it, one answers for the other.',
  how: {
    does: [
      'One user requests several tokens, also from a second device, and another user requests tokens as well.',
      "The suite's mint double records the userIds, also where the backend tries again after a first mint call that the double answered with 503.",
      'Without the mint double, the userIds in the claims of the tokens are compared.',
    ],
    fails: ['Two ids for one user, or one id for two users.'],
  },
  mints: 10,
  needs: ['backend', 'bob'],
  run: (parts, judge) =>
    withSight(parts, async (sight) => {
      if (sight === null) return judge.untested(tokensTellNoUser)
      await judgeIds(sight, parts, judge)
      if (sight.double !== null) await judgeSecondTry(sight, sight.double, parts, judge)
    }),
})

type Parts = CheckContext<'backend' | 'bob'>

async function judgeIds(sight: Sight, { backend, bob, optional }: Parts, judge: Judge): Promise<void> {
  const { alice } = backend
  const secondDevice = optional('aliceSecondDevice')
  const fetchAll = async (name: string, sessions: readonly UserSession[]): Promise<SeenToken[]> => {
    const seen: SeenToken[] = []
    for (const session of sessions) seen.push(await sight.fetch(session))
    for (const { user } of seen)
      if (user === null)
        judge.untested(`the backend answered ${name} from a cache, so its mint call could not be inspected`)
    return seen
  }
  const judgeOne = (who: string, seen: readonly SeenToken[]) => {
    const { size } = idsIn(seen)
    if (size === 0) return
    judge.must(size === 1, {
      case: who,
      saw: `${size} userIds in ${sight.place} for ${who}`,
      expected: 'one stable userId (2.1.4)',
      fix: "Use the user's stable id, not the session or device.",
      evidence: seen.map(({ exchange }) => exchange),
    })
  }
  const ofAlice = await fetchAll('alice', [alice, alice, alice])
  judgeOne('one user on one device', ofAlice)
  const ofBob = await fetchAll('bob', [bob, bob])
  judgeOne('one user on one device', ofBob)
  if (secondDevice !== undefined) {
    const ofDevice = await fetchAll('alice on a second device', [secondDevice])
    judgeOne('one user on two devices', [...ofAlice, ...ofDevice])
  }
  const [ids, others] = [idsIn(ofAlice), idsIn(ofBob)]
  if (ids.size === 0 || others.size === 0) return
  judge.must(![...ids].some((id) => others.has(id)), {
    saw: `the same userId in ${sight.place} for two users`,
    expected: 'a distinct userId per user (2.1.4)',
    fix: "Mint for the id of the session's own user.",
    evidence: [...ofAlice, ...ofBob].map(({ exchange }) => exchange),
  })
}

function idsIn(seen: readonly SeenToken[]): Set<string> {
  return new Set(seen.flatMap(({ user }) => user ?? []))
}

/** Where the first mint call fails, a second one may be made of what another request has left. */
async function judgeSecondTry(
  sight: Sight,
  double: ScriptedMint,
  { backend, bob }: Parts,
  judge: Judge,
): Promise<void> {
  for (const [session, other] of [
    [backend.alice, bob],
    [bob, backend.alice],
  ] as const) {
    const usual = sight.userOf((await backend.token(session)).jwt)
    // Data left in the backend is now the other user's.
    await backend.token(other)
    failFirstCall(double, { status: 503, body: '{"error":"overloaded"}' })
    const { user, reply } = await sight.request({ session })
    double.answer(null)
    if (leaveUndecided(judge, reply, 'where the first mint call failed')) continue
    judge.must(usual === null || user === null || user === usual, {
      saw: 'a token for another userId where the backend called the mint again after a failure',
      expected: 'one stable userId (2.1.4)',
      fix: 'Build each mint call, a repeated one too, from the session of its own request.',
      evidence: [reply.exchange],
    })
  }
}
