import { isStillValid } from '../../base/tokens/token-lifetime.ts'
import type { CheckContext } from '../../requirement/needs.ts'
import { runHook } from '../../requirement/roles/open-hooks.ts'
import type { UserSession } from '../../roles/backend/configuration.ts'
import { cutSession } from '../../roles/backend/cut-session.ts'
import type { Caller, User } from './steps.ts'

interface Presented {
  readonly session: string | null
  /** Null where the session is not live. */
  readonly userId: string | null
  /** Monotonic milliseconds, of a session that was signed out during the story. */
  readonly endedAt?: number
}

export type Devices = ReturnType<typeof openDevices>

/** The sessions that requests of a story carry. Every user who can be is signed in when it is made. */
export function openDevices(parts: BackendParts, environment: NodeJS.ProcessEnv) {
  const { available, clock, configuration } = parts
  const { alice } = parts.backend
  const live: Partial<Record<Caller, UserSession | undefined>> = {
    alice,
    'alice, on her second device': available('aliceSecondDevice'),
    bob: available('bob'),
  }
  const ended: Partial<Record<Caller, string | undefined>> = {
    'an expired session': available('expiredSession'),
    'a signed-out session': available('signedOutSession'),
  }
  const cut: Caller = "alice's session without its last characters"
  const { signOut } = configuration.hooks
  const signedOut = new Map<Caller, { readonly session: string; readonly endedAt: number }>()
  return {
    has(caller: Caller): boolean {
      if (caller === cut) return cutSession(alice.token) !== null
      return caller === 'no session' || live[caller] !== undefined || ended[caller] !== undefined
    },
    async present(caller: Caller): Promise<Presented> {
      if (caller === cut) {
        const { session } = await this.present('alice')
        return { session: session && cutSession(session), userId: null }
      }
      const gone = signedOut.get(caller)
      if (gone !== undefined) return { ...gone, userId: null }
      const user = live[caller]
      if (user !== undefined) return { session: (await user.renew?.()) ?? user.token, userId: user.userId }
      const session = ended[caller] ?? null
      // A server that looks nothing up cannot know of the sign-out of a session that states a later end.
      return session !== null && isStillValid(session, clock.wall())
        ? { session, userId: null, endedAt: Number.NEGATIVE_INFINITY }
        : { session, userId: null }
    },
    canSignOut: (user: User): boolean =>
      signOut !== undefined && live[user]?.renew !== undefined && !signedOut.has(user),
    canSignIn: (user: User): boolean => signedOut.has(user),
    /** Monotonic milliseconds of the last sign-out of a user who is not signed in again; null where there is none. */
    lastSignOut: (): number | null =>
      signedOut.size === 0 ? null : Math.max(...[...signedOut.values()].map(({ endedAt }) => endedAt)),
    /** @throws ControlLost where the command fails */
    async signOut(user: User): Promise<void> {
      const session = live[user]?.token ?? ''
      await runHook(configuration, environment, {
        name: 'signOut',
        command: signOut?.command ?? '',
        told: { TWOTOKEN_SESSION: session },
      })
      signedOut.set(user, { session, endedAt: clock.monotonic() })
    },
    /** Begins a new session, where the configuration has a command for it. */
    async signIn(user: User): Promise<void> {
      await live[user]?.renew?.(0)
      signedOut.delete(user)
    },
  }
}

export const backendNeeds = ['backend', 'mintDouble'] as const
export type BackendParts = CheckContext<(typeof backendNeeds)[number]>
