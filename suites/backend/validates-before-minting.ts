import { judgeCases, sendCases } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import { isOverload } from './lib/describe-reply.ts'
import { createInvalidSessions, type InvalidSession, mayBeDropped, mayLive } from './lib/invalid-sessions.ts'
import { findMintedUser } from './lib/sight.ts'
import { type Rates, watchQuiet } from './lib/watch-quiet.ts'
import { scriptShortLived } from './lib/with-short-lived-tokens.ts'

/** A call that comes behind the responses may take so many times as long as they did. */
const timesSlower = 2
const longestMs = 3000
/** Calls that a backend makes by itself come again within this time. */
const recurringMs = 3000
/** A timer is late on a busy machine, and may then fire several times in a row. */
const timesMore = 2
const fewMore = 3
/** So many windows may pass until the last call for a request has arrived; what goes on for longer comes by itself. */
const mostStragglers = 5

type Parts = CheckContext<'backend'>
type Id = DoubleCall['userId']

export default defineCheck({
  id: 'BACK-03',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.2'],
  basis: 'The steps are in order: the session is validated before the mint is called (4.2).',
  title: 'validates the session before calling the mint',
  why: 'If the backend calls the mint first, unauthenticated requests use up its plan, whatever the backend answers.',
  how: {
    does: [
      "Records calls at the suite's mint double while the token route is called without a session, with made-up, tampered, expired and signed-out sessions, with other secrets in their place, and without a session by every method and at other spellings of its path.",
      'Calls that come up to 0.4 s behind the responses count, and longer where those took long.',
      'Then a logged-in user requests a token, so that earlier calls have arrived.',
      'Windows of quiet behind the last of such calls show how often the backend calls the mint by itself (health probes, caches that refresh ahead): so many calls are not counted.',
      'Where other calls were seen, all of it is done once more, with sessions made anew: what the requests have caused comes again.',
    ],
    fails: ['Any other mint call, but the one for a signed-out JWT that is still served (BACK-02).'],
    untested: [
      'A request that met a rate limit, a gateway error or no response, unless no client sends such a request and the next one meets none, either.',
    ],
  },
  mints: 2,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble, available, clock } = parts
    await scriptShortLived(mintDouble, async (double) => {
      const { alice } = backend
      const { jwt: callingJwt } = await backend.token(alice)
      const session = await backend.exactSession(alice)
      const named = await waitUntilQuiet(double, clock)
      // A user without a cached token where possible: the last request must reach the double.
      const last = available('bob') ?? alice
      const measure = (usual: Rates) => {
        const bad = createInvalidSessions(parts, session, callingJwt)
        return measureCalls(parts, double, { bad, last, usual, named })
      }
      let measured = await measure(new Map())
      // Calls that a backend makes by itself for a while may have begun in between: those that follow from requests come again.
      if (measured.others.length > 0) measured = await measure(await watchQuiet(double, clock, recurringMs))
      const { tried, others, isLastMinted } = measured
      judge.must(others.length === 0, {
        saw: `${others.length} mint calls for requests without a valid session`,
        expected: 'no mint call before the session is validated (4.2)',
        fix: 'Validate the session before calling the mint.',
        evidence: others.map(({ exchange }) => exchange),
      })
      judgeCases(judge, 'for a request with', tried, [])
      if (!isLastMinted)
        judge.untested(
          'the backend answered from a cache, so its mint calls cannot be shown to reach the double',
        )
    })
  },
})

interface Offered {
  readonly bad: readonly InvalidSession[]
  readonly last: UserSession
  /** While nothing is asked. */
  readonly usual: Rates
  /** The ids in calls of earlier requests. */
  readonly named: ReadonlySet<Id>
}

/** Sends all of the requests, and then that of a user, which must get a token. */
async function measureCalls(
  { backend, clock }: Parts,
  double: ScriptedMint,
  { bad, last, usual, named }: Offered,
) {
  const before = double.calls().length
  const askedAt = clock.monotonic()
  const tried = await sendCases({
    cases: bad,
    async send(one: InvalidSession) {
      const reply = await backend.request({ ...one.request, followRedirects: true, case: one.name })
      const isUndecided = isOverload(reply)
      return { reply, isUndecided, mayBeDropped: mayBeDropped(one, reply), evidence: [reply.exchange] }
    },
    recurs: (seen) => seen.mayBeDropped,
  })
  // A call may come behind the response.
  await watchQuiet(double, clock, Math.min(longestMs, timesSlower * (clock.monotonic() - askedAt)))
  const barrier = double.calls().length
  await watchQuiet(double, clock)
  const elapsedMs = clock.monotonic() - askedAt
  const seen = Map.groupBy(double.calls().slice(before), ({ userId }) => userId)
  if (seen.size > 0) await waitUntilQuiet(double, clock)
  const later: Rates = seen.size === 0 ? new Map() : await watchQuiet(double, clock, recurringMs)
  /** As many calls as the backend makes in such a time by itself; more of them were caused. */
  const isOwn = (userId: Id) => {
    const perMs = Math.max(usual.get(userId) ?? 0, later.get(userId) ?? 0)
    return perMs > 0 && (seen.get(userId)?.length ?? 0) <= timesMore * perMs * elapsedMs + fewMore
  }
  const { jwt } = await backend.token(last)
  const minted = findMintedUser(double, jwt)
  const live = tried.flatMap(({ one, seen }) => (mayLive(one.name) ? [backend.tokenOf(seen.reply)] : []))
  const others = double.calls().filter(({ userId, issued }, at) => {
    if (at < before || isOwn(userId) || (issued !== null && live.includes(issued))) return false
    // The last request causes every call that a served request has caused before.
    return at < barrier || (userId !== (minted ?? last.userId) && !named.has(userId))
  })
  return { tried, others, isLastMinted: minted !== null }
}

/** Waits for the calls of earlier requests; resolves with the ids that they name. */
async function waitUntilQuiet(double: ScriptedMint, clock: Parts['clock']): Promise<ReadonlySet<Id>> {
  const named = new Set<Id>()
  for (let window = 0; window < mostStragglers; window += 1) {
    const rates = await watchQuiet(double, clock)
    if (rates.size === 0) break
    for (const id of rates.keys()) named.add(id)
  }
  return named
}
