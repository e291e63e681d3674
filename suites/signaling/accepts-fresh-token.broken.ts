import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'refuses every signature': { signaling: { signatureHolds: () => false } },
  'does not know the claim of the user': { signaling: { userOf: () => null } },
  'takes a lifetime for milliseconds': {
    signaling: { expiryOf: ({ exp }) => (typeof exp === 'number' ? exp / 1000 : undefined) },
  },
  'has a clock that is an hour ahead': { signaling: { now: () => Date.now() / 1000 + 3600 } },
  'trusts another algorithm only': { signaling: { algorithms: ['PS512'] } },
  'looks for the token in another place': {
    signaling: {
      carriage: { in: 'cookie', name: 'jwt' },
    },
    configuration: {
      signaling: {
        profile: { carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' } },
      },
    },
  },
  'admits, then closes at once': {
    signaling: { openSocketExpiry: { course: 'closed', afterSeconds: -86_400 } },
  },
  'never answers the upgrade': {
    signaling: { handshake: () => 'ignore' },
    configuration: { signaling: { profile: { timeoutMs: 300 } } },
    as: 'error',
  },
  'resets the connection': { signaling: { handshake: () => 'reset' }, as: 'error' },
  'answers 503': { signaling: { handshake: () => 503 }, as: 'error' },
  'upgrades and says nothing': {
    signaling: { welcome: { frames: () => [], sign: { frame: { path: '$.type', equals: 'welcome' } } } },
    configuration: { signaling: { profile: { timeoutMs: 300 } } },
    as: 'error',
  },
}
