import type { Configuration } from '../configuration/configuration.ts'
import type { Needed } from './needs.ts'

/** The keys, sessions and users that the configuration gives, by the need that they meet. */
export function givenCredentials({ mint, backend, client }: Configuration): Partial<Needed> {
  const { sessions } = backend ?? {}
  return {
    ...(mint?.otherProjectKey && { otherProjectKey: mint.otherProjectKey }),
    ...(mint?.keys.trialEnded && { trialEndedKey: mint.keys.trialEnded }),
    ...(mint?.keys.suspended && { suspendedKey: mint.keys.suspended }),
    ...(mint?.keys.capped && { cappedKey: mint.keys.capped }),
    ...(sessions?.bob && { bob: sessions.bob }),
    ...(sessions?.aliceSecondDevice && { aliceSecondDevice: sessions.aliceSecondDevice }),
    ...(sessions?.expired && { expiredSession: sessions.expired.token }),
    ...(sessions?.signedOut && { signedOutSession: sessions.signedOut.token }),
    ...(client?.users['bob'] && { clientBob: client.users['bob'] }),
  }
}
