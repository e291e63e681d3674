import { Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import { assertTokenField } from '../../src/roles/backend/driver.ts'
import { askPastCache } from '../backend/lib/ask-past-cache.ts'
import { millisecondsLeft } from '../lib/token-end.ts'
import { assertRealTokens } from './lib/joining-tokens.ts'

/** Long enough to join, and short since a backend may cache the token until its expiry; longer where it came too late. */
const lifetimesInSeconds = [5, 30, 60, 300]

/** Statuses of a session that has ended, and of a ban. */
const sessionOrBan: readonly number[] = [401, 403, 429]

export default defineCheck({
  id: 'FLOW-01',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4', '5.4'],
  basis: 'The calling JWT that the backend returns lets the app connect to signaling (4, 5.4).',
  title: 'lets a signed-in user connect end to end',
  why: 'Each part may conform on its own while the parts do not work together.',
  how: {
    does: [
      'For two users, requests a calling token from the token route with the session and joins signaling with it, under the configured userId.',
      'A ban of every client is recorded and waited out.',
    ],
    fails: ['A response without a token, or a rejection by signaling while it serves other clients.'],
  },
  mints: 2,
  needs: ['backend', 'bob', 'signaling'],
  async run(parts, judge) {
    const { backend, bob, signaling, available, clock } = parts
    const mintDouble = available('mintDouble')
    assertRealTokens(parts)
    const ask = (session: UserSession) => backend.requestServed({ session, followRedirects: true })
    const fetched = async (session: UserSession, lifetime: number) => {
      if (mintDouble === undefined) return { reply: await ask(session), calls: [] }
      return await mintDouble.scripted(async (double) => {
        double.lifetime(lifetime)
        return await askPastCache(parts, double, { session })
      })
    }
    const join = async (
      name: string,
      session: UserSession,
      [lifetime = 0, ...longer] = lifetimesInSeconds,
    ) => {
      const { reply, calls } = await fetched(session, lifetime)
      const token = backend.tokenOf(reply)
      if (token === null && calls.length > 0 && calls.every(({ issued }) => issued === null)) {
        const evidence = [reply.exchange, ...calls.map(({ exchange }) => exchange)]
        judge.lost(`control failed: the mint issued no token to the backend for ${name}`, evidence)
        return
      }
      if (reply.kind === 'no-answer')
        return judge.lost(`control failed: the backend ${reply.message} for ${name}`, [reply.exchange])
      // A session that has ended since it was served, or a ban of this machine, says nothing about the parts.
      const isRejected = token === null && sessionOrBan.includes(reply.status)
      if (isRejected && backend.hasServed(session)) await backend.token(session)
      if (token === null) assertTokenField(reply)
      const given = judge.must(token !== null, {
        case: name,
        saw: `no calling token for ${name}: the backend answered ${reply.status}`,
        expected: 'a 2xx status and { "token": "<calling JWT>" } (4.2.5)',
        fix: 'Answer a valid session with 200 and { "token": "<calling JWT>" }.',
        evidence: [reply.exchange],
      })
      if (!given || token === null) return
      const aliveWhenAsked = millisecondsLeft(token, clock, reply.sentAt) > 0
      const attempt = await signaling.join({ jwt: token, userId: session.userId })
      if (attempt.outcome === 'untestable') throw new Untested(attempt.reason)
      if (attempt.outcome === 'refused' && attempt.unreachable === true)
        return judge.lost(`signaling could not be reached: it ${attempt.summary}`, [attempt.exchange])
      if (attempt.outcome === 'refused' && aliveWhenAsked && millisecondsLeft(token, clock) <= 0) {
        if (longer.length > 0) return await join(name, session, longer)
        judge.lost('the token expired before signaling answered', [attempt.exchange])
        return
      }
      const blockedSeconds = attempt.outcome === 'refused' ? await signaling.outlastBan() : null
      if (blockedSeconds !== null && longer.length > 0) {
        if (blockedSeconds > 0) judge.observe('signaling.blockedSeconds', blockedSeconds)
        return await join(name, session, longer)
      }
      if (attempt.outcome === 'refused' && blockedSeconds !== null) await signaling.control()
      judge.must(attempt.outcome === 'accepted', {
        case: name,
        saw: `the token that the backend returned for ${name} not accepted: signaling ${attempt.summary}`,
        expected: 'the user accepted (4.3)',
        fix: 'Mint for the userId that the client declares, at the mint that signaling trusts.',
        evidence: [reply.exchange, attempt.exchange],
      })
    }
    await Promise.all([join('alice', backend.alice), join('bob', bob)])
  },
})
