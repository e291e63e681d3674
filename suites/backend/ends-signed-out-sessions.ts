import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { judgedBy, servedAfterSignOut } from '../../src/requirement/graces.ts'
import { showReply } from './lib/describe-reply.ts'
import { mustGetToken } from './lib/offer-request.ts'
import { chooseEndingSession } from './lib/sign-out.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-21',
  role: 'backend',
  level: servedAfterSignOut.level,
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
      judge[judgedBy[servedAfterSignOut.level]](!hasToken, {
        saw: `a token for a session that was signed out ${Math.round(seconds)} s before`,
        expected: 'a rejection, as for any session that is not valid (4.2.1)',
        fix: 'Look signed-out sessions up, or let sessions live for minutes and renew them; hooks.signOut must end the session in TWOTOKEN_SESSION.',
        evidence: [reply.exchange],
      })

    const served = await withShortLivedTokens(parts, () =>
      Promise.allSettled(others.map((user) => mustGetToken(backend, { session: user }, 'another session'))),
    )
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
  catches: {
    'never ends a session that was signed out': {
      backend: { isLive: ({ expiresAt }, now) => now < expiresAt },
      as: 'warn',
    },
    'never ends a session that was signed out, and asks for lifetimes that the mint rejects': {
      backend: { isLive: ({ expiresAt }, now) => now < expiresAt, ttlSeconds: () => '15m' },
      as: 'warn',
    },
    'remembers the answer of the sign-out check': {
      backend: rememberLive(),
      as: 'warn',
    },
    'tells the sign-out to one of two nodes': {
      backend: forgetOnEverySecondLook(),
      as: 'warn',
    },
    'signs out every device of the user': {
      backend: {
        isLive: ({ expiresAt, userId }, now, { byToken, signedOut }) =>
          now < expiresAt &&
          ![...byToken.values()].some(
            (one) => one.userId === userId && signedOut.has(one.id) && one.id !== firstSignedOut(signedOut),
          ),
      },
      as: 'warn',
    },
    'is overloaded when a session was signed out': {
      backend: { refuseSession: (usual) => ({ ...usual, status: 503 }) },
      as: 'error',
    },
  },
})

/** The reference starts with a session that was signed out before. */
function firstSignedOut(signedOut: ReadonlySet<string>): string | undefined {
  return [...signedOut][0]
}

/** Two nodes in turn, of which the second never hears of a sign-out. */
function forgetOnEverySecondLook() {
  let looks = 0
  return {
    isLive(
      { id, expiresAt }: { readonly id: string; readonly expiresAt: number },
      now: number,
      { signedOut }: { readonly signedOut: ReadonlySet<string> },
    ) {
      const isSignedOut = signedOut.has(id)
      if (isSignedOut) looks += 1
      return now < expiresAt && (!isSignedOut || looks % 2 === 0)
    },
  }
}

/** A cache of sessions that were found to be live, without an end. */
function rememberLive() {
  const live = new Set<string>()
  return {
    isLive(
      { id, expiresAt }: { readonly id: string; readonly expiresAt: number },
      now: number,
      { signedOut }: { readonly signedOut: ReadonlySet<string> },
    ) {
      if (live.has(id)) return true
      const isLive = now < expiresAt && !signedOut.has(id)
      if (isLive) live.add(id)
      return isLive
    },
  }
}
