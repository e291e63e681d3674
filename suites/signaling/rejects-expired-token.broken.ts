import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling, rows } from '../lib/broken-rows.ts'
import { subjectOf, takingBack } from './lib/variants.ts'

/** Limits shorter than a real run's, so that a service that accepts for ever is caught in seconds. */
const failingAfter = (leewayFailSeconds: number) => ({
  token: { signWith: null },
  limits: { leewayWarnSeconds: 1, leewayFailSeconds },
})

export const broken: BrokenVariants = {
  ...ofSignaling({
    'never checks expiry': { expiryOf: () => null },
    'allows an hour of leeway': { leewaySeconds: 3600 },
    'takes expiry for milliseconds': {
      expiryOf: ({ exp }) => (typeof exp === 'number' ? exp * 1000 : undefined),
    },
    'counts a day from the issue': {
      expiryOf: ({ iat }) => (typeof iat === 'number' ? iat + 86_400 : undefined),
    },
    'has a clock that is an hour slow': { now: () => Date.now() / 1000 - 3600, issuedAtHolds: () => true },
  }),
  ...rows(
    {
      'never checks expiry, and its key is not known': { expiryOf: () => null },
      'remembers the verdict on a token': { verdictKey: (credential: string) => credential },
      'remembers users that were verified': { verdictKey: subjectOf },
    },
    (signaling) => ({ signaling, configuration: failingAfter(4) }),
  ),
  'welcomes an expired token, and rejects it 100 ms later': takingBack({
    only: 'expired',
    as: 'warn',
    configuration: failingAfter(4),
  }),
  'allows more leeway than is advised': {
    signaling: { leewaySeconds: 12 },
    configuration: failingAfter(30),
    as: 'warn',
  },
}
