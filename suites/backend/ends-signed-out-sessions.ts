import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { showReply } from './lib/describe-reply.ts'
import { chooseEndingSession } from './lib/sign-out.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-21',
  level: 'SHOULD',
  kind: 'rejects',
  clauses: ['4.2.1'],
  title: 'rejects a session soon after its sign-out',
  why: 'A user who signs out on a lost device expects that it can no longer join calls as them.',
  how: {
    does: [
      'A session must get a token.',
      'Then hooks.signOut signs it out, and the suite tries it until 8 connections meet a rejection, for at most 10 s; the seconds are recorded.',
      'A rate limit, a gateway error or no response is no rejection.',
      'Another session is a control before and after.',
    ],
    warns: [
      'A session that is still served after that.',
      'A user who is no longer served on another device.',
    ],
    untested: [
      'A first rejection that is seen more than 11 s after the sign-out, or after the end of the session.',
    ],
  },
  mints: 12,
  needs: ['backend', 'signOutHook'],
  stage: 'ended',
  async run(parts, judge) {
    const { backend, available } = parts
    const { session, signOut } = await chooseEndingSession(parts)
    const bob = available('bob')
    const others = [backend.alice, ...(bob === undefined ? [] : [bob])].filter(
      ({ token }) => token !== session,
    )
    const { reply, hasToken, isUndecided, seconds, missed } = await signOut().outcome
    if (isUndecided)
      return judge.lost(`${showReply(reply)} for the signed-out session, which is no rejection`, [
        reply.exchange,
      ])
    if (!hasToken) judge.observe('backend.signOutSeconds', seconds)
    if (missed !== null) judge.untested(missed)
    else
      judge.should(!hasToken, {
        saw: `a token for a session that was signed out ${Math.round(seconds)} s before`,
        expected: 'a rejection, as for any session that is not valid (4.2.1)',
        fix: 'Look signed-out sessions up, or let sessions live for minutes and renew them; hooks.signOut must end the session in TWOTOKEN_SESSION.',
        evidence: [reply.exchange],
      })

    const served = await withShortLivedTokens(parts, () => Promise.allSettled(others.map(backend.token)))
    const lost = served.filter(({ status }) => status === 'rejected')
    if (lost.length === served.length)
      throw new ControlLost('no other session is served after the sign-out', [reply.exchange])
    judge.advisory(served[0]?.status === 'fulfilled' || others[0] !== backend.alice, {
      saw: "no token for alice's other session after the sign-out",
      expected: 'a sign-out of one device only',
      fix: 'End the session that signed out, not all sessions of its user.',
      evidence: [reply.exchange],
    })
  },
})
