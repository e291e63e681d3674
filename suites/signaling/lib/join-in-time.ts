import { ControlLost, Untested } from '../../../src/base/inconclusive.ts'
import type { End, Expiry } from '../../../src/roles/mint/expiry.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'

/** Tries longer lifetimes until `join` has joined with short-lived tokens before their ends; null is: not in time. */
export async function joinInTime<Joined>(
  { lifetimes }: Expiry,
  join: (lifetime: number) => Promise<Joined | null>,
): Promise<Joined> {
  for (const lifetime of lifetimes) {
    const joined = await join(lifetime)
    if (joined !== null) return joined
  }
  throw new Untested(
    'no short-lived token could be sent before its expiry: this machine or the network is slow',
  )
}

/** False where it may have ended before signaling decided; throws `ControlLost` where it was rejected. */
export async function isAcceptedInTime(
  signaling: Signaling,
  { jwt, userId, mayExpireAt }: Pick<End, 'mayExpireAt'> & { readonly jwt: string; readonly userId: string },
  name = 'a calling token before its expiry',
): Promise<boolean> {
  const made = await signaling.decide({ token: jwt, declaredUser: userId, case: name })
  if (made.outcome === 'accepted' || made.decidedAt >= mayExpireAt) return made.outcome === 'accepted'
  // Everyone may be rejected for a while.
  await signaling.control()
  throw new ControlLost(`signaling ${made.summary} when offered ${name}`, [made.exchange])
}
