import type { Clock } from '../base/clock.ts'
import type { Limits } from '../base/limits.ts'
import type { Mint } from '../roles/mint/driver.ts'
import { createExpiry } from '../roles/mint/expiry.ts'
import type { SignalingConnector } from '../roles/signaling/attempt.ts'

/** Seconds after expiry at which a token is tried; the last that is still accepted is the leeway. */
const trials = [1, 3, 6, 11, 31, 61]

/** Waits for one short-lived token to expire; null where it outlives the limits, or the trials end before the leeway. */
export async function measureLeeway({
  mint,
  connector,
  clock,
  limits,
  newUser,
  onProgress,
}: {
  readonly mint: Mint
  readonly connector: SignalingConnector
  readonly clock: Clock
  readonly limits: Limits
  newUser(): string
  onProgress(what: string): void
}): Promise<number | null> {
  const onWaiting = (seconds: number) =>
    onProgress(`the leeway: waiting ${Math.ceil(seconds)} s for a token to expire`)
  const expiry = createExpiry({ mint, clock, limits, wait: true, onWaiting })
  const { jwt, userId, expiredAt } = await expiry.token(newUser())
  let leeway = 0
  for (const seconds of trials) {
    await expiry.until(expiredAt + seconds * 1000)
    const made = await connector.attempt({ token: jwt, declaredUser: userId })
    if (made.outcome !== 'accepted') return leeway
    await made.socket[Symbol.asyncDispose]()
    leeway = seconds
  }
  return null
}
