import type { Catch } from '../../../src/requirement/define.ts'
import type { CallingTokens } from '../../../src/roles/backend/calling-tokens.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import type { Attack } from './try-attacks.ts'

/** The same attacks by one who names a user that was accepted a moment ago: authorisation may be cached by user. */
export async function asKnownUser(
  attacks: readonly Omit<Attack, 'userId'>[],
  callingTokens: CallingTokens,
  signaling: Signaling,
): Promise<Attack[]> {
  if (!signaling.declaresUser) return []
  const { jwt, userId } = await callingTokens.fresh()
  await signaling.accepted({ jwt, userId })
  return attacks.map((attack) => ({
    ...attack,
    what: `${attack.what}, with the userId of a client that has just joined`,
    userId,
  }))
}

/** Signaling that keeps in mind whom it has verified, and asks those for no token. */
export function rememberingUsers(): Catch {
  const verified = new Set<string>()
  return {
    signaling: {
      async identify({ url = '' }, usual) {
        const declared = new URL(url, 'wss://localhost').searchParams.get('as') ?? ''
        if (verified.has(declared)) return { userId: declared, expiresAt: null }
        const known = await usual()
        verified.add(known.userId)
        return known
      },
    },
  }
}
