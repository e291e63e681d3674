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
  issue(): Promise<Issued>
  /** Issues a token of another user or project, which the end must spare; null where there is none. */
  readonly issueForOther: (() => Promise<Issued>) | null
  /** Ends it: monotonic milliseconds. `isOver` waits until the part that issues has taken notice, or has not. */
  end(): { readonly endedAt: Promise<number>; isOver(): Promise<boolean> }
}

/** The keys of `hooks.revokeKey` and of `hooks.suspendProject`, as far as they are given. */
export function endingKeys(parts: Parts): Ending[] {
  const { available, callingTokens, configuration, newUser } = parts
  const mint = available('mint')
  if (mint === undefined) return []
  const endingKey = (hookName: 'revokeKey' | 'suspendProject', words: Pick<Ending, 'name' | 'event'>) => {
    const hook = available(`${hookName}Hook`)
    if (hook === undefined) return []
    const { key } = hook
    const ending: Ending = {
      ...words,
      others: 'another project',
      async issue() {
        const userId = newUser()
        const reply = await mint.request({ key, userId, followRedirects: true })
        const located = reply.kind === 'answer' ? mint.locate(reply) : null
        if (located?.kind !== 'found')
          throw new ControlLost(`the key of hooks.${hookName} does not mint`, [reply.exchange])
        return { jwt: located.token, userId }
      },
      // A service may end all tokens of a project with one of its keys.
      issueForOther:
        hookName === 'suspendProject' || key === configuration.mint?.otherProjectKey
          ? callingTokens.fresh
          : null,
      end() {
        const { revokedAt, outcome } = endKey({ ...parts, mint }, hookName, hook)
        return { endedAt: revokedAt, isOver: async () => (await outcome).isRejected }
      },
    }
    return [ending]
  }
  return [
    ...endingKey('revokeKey', { name: 'RevokedKey', event: 'the revocation of an API key' }),
    ...endingKey('suspendProject', { name: 'SuspendedProject', event: 'the suspension of a project' }),
  ]
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
