import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { takingBack } from './lib/taking-back.ts'

export const broken: BrokenVariants = {
  'never checks expiry': { signaling: { expiryOf: () => null } },
  'allows an hour of leeway': { signaling: { leewaySeconds: 3600 } },
  'takes expiry for milliseconds': {
    signaling: { expiryOf: ({ exp }) => (typeof exp === 'number' ? exp * 1000 : undefined) },
  },
  'counts a day from the issue': {
    signaling: { expiryOf: ({ iat }) => (typeof iat === 'number' ? iat + 86_400 : undefined) },
  },
  'has a clock that is an hour slow': {
    signaling: { now: () => Date.now() / 1000 - 3600, issuedAtHolds: () => true },
  },
  'never checks expiry, and its key is not known': withShortLimits({ expiryOf: () => null }),
  'remembers the verdict on a token': withShortLimits({ verdictKey: (credential) => credential }),
  'remembers the verdict on a signature': withShortLimits({
    verdictKey: (credential) => credential.split('.')[2] ?? null,
  }),
  'remembers users that were verified': withShortLimits({
    verdictKey: (credential) =>
      Buffer.from(credential.split('.')[1] ?? '', 'base64url')
        .toString()
        .match(/"sub":"[^"]*"/)?.[0] ?? null,
  }),
  'welcomes an expired token, and rejects it 100 ms later': takingBack({
    only: 'expired',
    as: 'warn',
    configuration: withShortLimits({}).configuration,
  }),
  'allows more leeway than is advised': {
    signaling: { leewaySeconds: 12 },
    configuration: { token: { signWith: null }, limits: { leewayWarnSeconds: 1, leewayFailSeconds: 30 } },
    as: 'warn',
  },
}

/** Limits shorter than a real run's, so that a service that accepts for ever is caught in seconds. */
function withShortLimits(signaling: NonNullable<Catch['signaling']>): Catch {
  return {
    signaling,
    configuration: { token: { signWith: null }, limits: { leewayWarnSeconds: 1, leewayFailSeconds: 4 } },
  }
}
