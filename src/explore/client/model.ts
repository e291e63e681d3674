import type { ConnectionAttempt, SignedIn } from '../../roles/client/types.ts'

/**
 * The expected state: who is signed in, whether they are to be connected, and how far the doubles were
 * judged.
 */
export interface ClientModel {
  user: SignedIn | null
  /** All who have signed in so far, the user as well. */
  readonly known: SignedIn[]
  /** `unknown` after a sign-in: an app may connect by itself. */
  wants: 'connection' | 'none' | 'unknown'
  /** Handshakes before the user signed in, and before the user connected or the connection was last accepted. */
  signedInAt: number
  since: { attempts: number; failedCalls: number }
  /** Since the last connect. */
  wasWelcome: boolean
  /** Since the sign-in. */
  wasEverWelcome: boolean
  /** The next handshake is the first of a connection that follows an earlier one. */
  beginsAgain: boolean
  /** Handshakes up to here were allowed to begin. */
  leftAt: number
  /** How many handshakes and calls were judged. */
  judged: { attempts: number; calls: number }
}

/** Handshakes that signaling has accepted and that are not over. */
export function openAttempts(attempts: readonly ConnectionAttempt[]): ConnectionAttempt[] {
  return attempts.filter(({ outcome, closedAt }) => outcome === 'accepted' && closedAt === null)
}

/**
 * Says whether a calling JWT was issued for a user who has signed out, and not for the one who is signed in.
 */
export function isOfAnother(userId: string | undefined, { user, known }: ClientModel): boolean {
  return user !== null && userId !== user.userId && known.some((one) => one.userId === userId)
}
