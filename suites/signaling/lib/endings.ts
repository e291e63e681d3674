import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { FreshToken } from '../../../src/roles/backend/calling-tokens.ts'
import { mustGetToken } from '../../backend/lib/offer-request.ts'
import { learnTokenUser } from '../../backend/lib/sight.ts'
import { chooseEndingSession } from '../../backend/lib/sign-out.ts'
import { endKey } from '../../mint/lib/revoke-key.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>
/** A calling token and whom it lets in. */
export type Issued = Pick<FreshToken, 'jwt' | 'userId'>

/** A credential that a hook ends, and the calling tokens that were issued for it. */
export interface Ending {
  /** As the names of observations have it. */
  readonly name: 'RevokedKey' | 'SuspendedProject' | 'SignedOutSession'
  /** Completes "after …". */
  readonly event: string
  /** Completes "tokens of …". */
  readonly others: string
  /** Completes "after the end, …": who still issues tokens, and the requirement that judges it. */
  readonly goesOn: string
  issue(): Promise<Issued>
  /** Issues a token of another user or project, which the end must spare; null where there is none. */
  readonly issueForOther: (() => Promise<Issued>) | null
  /** Ends it: monotonic milliseconds. `isOver` waits until the part that issues has taken notice, or has not. */
  end(): { readonly endedAt: Promise<number>; isOver(): Promise<boolean> }
}

/** The key of a hook; null without it. */
export function endingKey(parts: Parts, hookName: 'revokeKey' | 'suspendProject'): Ending | null {
  const { available, callingTokens, configuration, newUser } = parts
  const mint = available('mint')
  const hook = available(`${hookName}Hook`)
  if (mint === undefined || hook === undefined) return null
  const { key } = hook
  const isRevoked = hookName === 'revokeKey'
  // A service may end all tokens of a project with one of its keys.
  const isOtherSpared = !isRevoked || key === configuration.mint?.otherProjectKey
  return {
    name: isRevoked ? 'RevokedKey' : 'SuspendedProject',
    event: isRevoked ? 'the revocation of an API key' : 'the suspension of a project',
    others: 'another project',
    goesOn: `the mint issues tokens (${isRevoked ? 'MINT-21' : 'MINT-16'})`,
    async issue() {
      const userId = newUser()
      const reply = await mint.request({ key, userId, followRedirects: true })
      const located = reply.kind === 'answer' ? mint.locate(reply) : null
      if (located?.kind !== 'found')
        throw new ControlLost(`the key of hooks.${hookName} does not mint`, [reply.exchange])
      return { jwt: located.token, userId }
    },
    issueForOther: isOtherSpared ? callingTokens.fresh : null,
    end() {
      const { revokedAt, outcome } = endKey({ ...parts, mint }, hookName, hook)
      return { endedAt: revokedAt, isOver: async () => (await outcome).isRejected }
    },
  }
}

/** The session of `hooks.signOut`; null without it, or where signaling knows no token of the backend. */
export async function endingSession(parts: Parts): Promise<Ending | null> {
  const { available, callingTokens } = parts
  const backend = available('backend')
  const signOutHook = available('signOutHook')
  const isReal = available('mintDouble')?.issuesRealTokens !== false
  if (backend === undefined || signOutHook === undefined || !isReal) return null
  const { session, signOut } = await chooseEndingSession({ ...parts, backend, signOutHook })
  const userOf = await learnTokenUser({ ...parts, backend })
  const bob = available('bob')
  const issueForBob = bob === undefined || bob.token === session ? null : () => backend.token(bob)
  return {
    name: 'SignedOutSession',
    event: 'the sign-out of a session',
    others: 'another user',
    goesOn: 'the backend issues tokens (BACK-21)',
    async issue() {
      const jwt = await mustGetToken(backend, { session }, 'the session that is to be signed out')
      return { jwt, userId: userOf?.(jwt) ?? backend.alice.userId }
    },
    issueForOther: available('mint') === undefined ? issueForBob : callingTokens.fresh,
    end() {
      const ended = signOut()
      return {
        endedAt: ended.signedOutAt,
        async isOver() {
          const { hasToken, isUndecided } = await ended.outcome
          return !hasToken && !isUndecided
        },
      }
    },
  }
}
