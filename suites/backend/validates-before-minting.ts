import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { fewAtOnce, inBatches } from '../../src/requirement/in-batches.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import { areDropped, isOverload, isSilent } from './lib/describe-reply.ts'
import { findMintedUser } from './lib/find-minted-user.ts'
import { createInvalidSessions, type InvalidSession, mayLive } from './lib/invalid-sessions.ts'
import { countIds, measureSilence, waitUntilQuiet, watchQuiet } from './lib/watch-quiet.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

/** A call that comes behind the responses may take so many times as long as they did. */
const timesSlower = 2
const longestMs = 3000
/** A timer is late on a busy machine, and may then fire several times in a row. */
const timesMore = 2
const fewMore = 3

export default defineCheck({
  id: 'BACK-03',
  role: 'backend',
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
      'Windows of quiet before, and behind the last of such calls, show how often the backend calls the mint by itself (health probes, caches that refresh ahead): so many calls are not counted.',
      'Where other calls were seen, all of it is done once more, with sessions made anew: what the requests have caused comes again.',
    ],
    fails: ['Any other mint call, but the one for a signed-out JWT that is still served (BACK-02).'],
    untested: [
      'A request that met a rate limit, a gateway error or no response; one that no client sends only if an ordinary request is slow, too.',
    ],
  },
  mints: 2,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble, available, optional, clock } = parts
    const expired = optional('expiredSession')
    const signedOut = available('signedOutSession')
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      const { alice } = backend
      const { jwt: callingJwt } = await backend.token(alice)
      const exact = { token: await backend.exactSession(alice), userId: alice.userId }
      const { named, isQuiet } = await waitUntilQuiet(double, clock)
      const usual = isQuiet ? new Map() : await measureSilence(double, clock)
      // A user without a cached token where possible: the last request must reach the double.
      const last = available('bob') ?? alice
      const measure = (byItself: Offered['usual']) => {
        const bad = createInvalidSessions(parts, { session: exact, callingJwt, expired, signedOut })
        return measureCalls(parts, double, { bad, last, usual: byItself, named })
      }
      let measured = await measure(usual)
      // A block that the requests had caused has rejected them, too: they are sent again when it is over.
      if (measured === null) await backend.token(last)
      measured ??= (await measure(usual)) ?? failAsBlocked()
      // Calls that a backend makes by itself for a while may have begun in between: those that follow from requests come again.
      if (measured.others.length > 0)
        measured = (await measure(await measureSilence(double, clock))) ?? measured
      const { tried, undecided, others, isLastMinted } = measured
      judge.must(others.length === 0, {
        saw: `${others.length} mint calls for requests without a valid session`,
        expected: 'no mint call before the session is validated (4.2)',
        fix: 'Validate the session before calling the mint.',
        evidence: others.map(({ exchange }) => exchange),
      })
      if (undecided.length > 0)
        judge.undecided(
          `a rate limit, a gateway error or no response, and no rejection, for ${undecided.length} of ${tried} requests without a valid session`,
          undecided,
        )
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
  /** How often each id comes in a millisecond while nothing is asked. */
  readonly usual: ReadonlyMap<DoubleCall['userId'], number>
  readonly named: ReadonlySet<DoubleCall['userId']>
}

/** Sends all of the requests, and then that of a user, which must get a token: null where it does not. */
async function measureCalls(
  { backend, clock }: CheckContext<'backend'>,
  double: ScriptedMint,
  { bad, last, usual, named }: Offered,
) {
  const before = double.calls().length
  const askedAt = clock.monotonic()
  const sent = await inBatches(bad, fewAtOnce, async (one) => ({
    one,
    reply: await backend.request({ ...one.request, followRedirects: true, case: one.name }),
  }))
  // A call may come behind the response.
  await watchQuiet(double, clock, Math.min(longestMs, timesSlower * (clock.monotonic() - askedAt)))
  const barrier = double.calls().length
  await watchQuiet(double, clock)
  const elapsedMs = clock.monotonic() - askedAt
  const counts = countIds(double.calls().slice(before))
  if (counts.size > 0) await waitUntilQuiet(double, clock)
  const later = counts.size === 0 ? new Map() : await measureSilence(double, clock)
  /** As many calls as the backend makes in such a time by itself; more of them were caused. */
  const isOwn = (userId: DoubleCall['userId']) => {
    const perMs = Math.max(usual.get(userId) ?? 0, later.get(userId) ?? 0)
    return perMs > 0 && (counts.get(userId) ?? 0) <= timesMore * perMs * elapsedMs + fewMore
  }
  const ordinary = await backend.request({ session: last, followRedirects: true })
  const jwt = backend.tokenOf(ordinary)
  if (jwt === null) return null
  const minted = findMintedUser(double, jwt)
  const live = sent.flatMap(({ one, reply }) => (mayLive(one.name) ? [backend.tokenOf(reply)] : []))
  const others = double.calls().filter(({ userId, issued }, at) => {
    if (at < before || isOwn(userId) || (issued !== null && live.includes(issued))) return false
    // The last request causes every call that a served request has caused before.
    return at < barrier || (userId !== (minted ?? last.userId) && !named.has(userId))
  })
  const silent = sent.map(({ reply }) => reply).filter(isSilent)
  const isDropping = silent.length === 0 || areDropped(silent, ordinary)
  // A server may drop a request that no client sends before the route sees it.
  const isDropped = (reply: Reply) => reply.kind === 'no-answer' && (isDropping || !isSilent(reply))
  const undecided = sent
    .filter(({ one, reply }) => isOverload(reply) && !(one.onlyTokenCounts && isDropped(reply)))
    .map(({ reply }) => reply.exchange)
  return { tried: bad.length, undecided, others, isLastMinted: minted !== null }
}

function failAsBlocked(): never {
  throw new ControlLost('the backend refused a valid session directly after requests without one')
}
