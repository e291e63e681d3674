import { pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages(['requires entitlementProvider', 'fetches no token without entitlementProvider']),
  ...pages(['hangs without entitlementProvider'], { configuration: { limits: { clientSettleSeconds: 6 } } }),
  ...programs(['requires entitlementProvider']),
}
