import { ControlLost } from '../../base/inconclusive.ts'
import { isStillValid } from '../../base/tokens/token-lifetime.ts'
import { cutSession } from '../../roles/backend/cut-session.ts'
import type { UserSession } from '../../roles/backend/types.ts'
import { type Caller, liveCallers, type User } from './steps.ts'

export interface Presented {
  readonly session: string | null
  /** Null where the session is not live. */
  readonly userId: string | null
  /** Monotonic milliseconds, of a session that was signed out during the story. */
  readonly endedAt?: number | undefined
}

/** The sessions that requests of a story carry, and which of them are live. */
export interface Devices {
  has(caller: Caller): boolean
  /** The session that a request carries, and its user; without one where the session is not live. */
  present(caller: Caller): Promise<Presented>
  canSignOut(user: User): boolean
  canSignIn(user: User): boolean
  /** Monotonic milliseconds of the last sign-out of a user who is not signed in again; null where there is none. */
  lastSignOut(): number | null
  /** The configuration has a command that begins a new session. */
  canRenew(user: User): boolean
  /** Throws `ControlLost` where the command fails. */
  signOut(user: User): Promise<void>
  signIn(user: User): Promise<void>
  /** Signs one of alice's sessions out where the configuration has none. Stories find it rejected from the beginning. */
  endOne(): Promise<void>
  /** Monotonic milliseconds at which that session was signed out; null where the suite did not. */
  endedAt(): number | null
}

/** A session that had ended when the exploration began. */
export interface EndedSession {
  readonly token: string
}

export interface DeviceOptions {
  readonly sessions: { readonly [caller in Caller]?: UserSession | EndedSession | undefined }
  /** Ends a session for good; absent where that is not possible. */
  readonly endSession: ((session: string) => Promise<void>) | undefined
}

const signedOutCaller = 'a signed-out session'

const cutCaller = "alice's session without its last characters"

/** Everybody who can be is signed in when it is made. */
export function createDevices({ sessions, endSession }: DeviceOptions): Devices {
  const signedOut = new Map<Caller, { readonly token: string; readonly at: number }>()
  /** Signed out by the suite, with the monotonic milliseconds; null once that has failed. */
  let former: { readonly token: string; readonly at: number } | null | undefined
  const canRenew = (caller: Caller) => {
    const session = sessions[caller]
    return session !== undefined && 'renew' in session && session.renew !== undefined
  }
  const mayEnd = (user: User) => {
    const session = sessions[user]
    return endSession !== undefined && session !== undefined && 'renew' in session
  }
  const canRenewAll = () => liveCallers.every((caller) => sessions[caller] === undefined || canRenew(caller))
  const endsOne = sessions[signedOutCaller] === undefined && mayEnd('alice') && canRenewAll()
  return {
    has(caller) {
      if (caller === signedOutCaller && endsOne) return former !== null
      if (caller === cutCaller)
        return sessions.alice !== undefined && cutSession(sessions.alice.token) !== null
      return caller === 'no session' || sessions[caller] !== undefined
    },
    async present(caller) {
      if (caller === cutCaller) {
        const { session } = await this.present('alice')
        return { session: session && cutSession(session), userId: null }
      }
      if (caller === signedOutCaller && former)
        return { session: former.token, userId: null, endedAt: former.at }
      const session = sessions[caller]
      if (session === undefined) return { session: null, userId: null }
      const ended = signedOut.get(caller)
      if (ended !== undefined) return { session: ended.token, userId: null, endedAt: ended.at }
      if (!('userId' in session)) {
        const endedAt = isStillValid(session.token, Date.now()) ? { endedAt: Number.NEGATIVE_INFINITY } : {}
        return { session: session.token, userId: null, ...endedAt }
      }
      return { session: (await session.renew?.()) ?? session.token, userId: session.userId }
    },
    canSignOut: (user) => mayEnd(user) && !signedOut.has(user),
    canSignIn: (user) => signedOut.has(user),
    lastSignOut: () =>
      signedOut.size === 0 ? null : Math.max(...[...signedOut.values()].map(({ at }) => at)),
    canRenew,
    async signOut(user) {
      const { token = '' } = sessions[user] ?? {}
      await endSession?.(token)
      signedOut.set(user, { token, at: performance.now() })
    },
    async signIn(user) {
      const session = sessions[user]
      if (session !== undefined && 'renew' in session) await session.renew?.(0)
      signedOut.delete(user)
    },
    endedAt: () => former?.at ?? null,
    async endOne() {
      if (!endsOne || former !== undefined) return
      const { token = '' } = sessions.alice ?? {}
      former = null
      try {
        await endSession?.(token)
        former = { token, at: performance.now() }
      } catch (error) {
        // The steps of stories that sign out show the same.
        if (!(error instanceof ControlLost)) throw error
      }
      await this.signIn('alice')
    },
  }
}
