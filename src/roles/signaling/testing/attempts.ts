import { systemClock } from '../../../base/clock.ts'
import { createJournal } from '../../../base/evidence/exchange.ts'
import { createSecrets } from '../../../base/evidence/secrets.ts'
import type { SignalingConnector } from '../attempt.ts'
import type { SignalingProfile } from '../profile.ts'
import { createProfileConnector } from '../profile-connector.ts'
import { type Loopback, quickProfile } from './loopback.ts'

export const good = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.Z29vZHNpZ25hdHVyZQ'
export const bad = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.YmFkc2lnbmF0dXJl'
export const welcome = '{"type":"welcome"}'
export const error401 = '{"error":{"code":401}}'

export function signalingAt(
  { url }: Loopback,
  profile: Partial<SignalingProfile> = {},
  change: Partial<Parameters<typeof createProfileConnector>[0]> = {},
): SignalingConnector {
  return createProfileConnector({
    url,
    profile: { ...quickProfile, ...profile },
    journal: createJournal(),
    secrets: createSecrets(),
    clock: systemClock,
    frameBytes: 65_536,
    ...change,
  })
}

/** Says how it came out, and ends what is open. */
export async function outcomeOf(signaling: SignalingConnector, token: string | null) {
  const attempt = await signaling.attempt({ token })
  if (attempt.outcome === 'accepted') await attempt.socket[Symbol.asyncDispose]()
  const named = attempt.outcome === 'refused' && attempt.named
  return { outcome: attempt.outcome, named, unauthorized: attempt.unauthorized, summary: attempt.summary }
}
