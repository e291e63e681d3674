import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'takes any audience': { signaling: { audienceHolds: () => true }, as: 'warn' },
  'takes a list of audiences unread': {
    signaling: { audienceHolds: ({ aud }) => Array.isArray(aud) || aud === 'calling' },
    as: 'warn',
  },
  'takes any issuer': { signaling: { issuerHolds: () => true }, as: 'warn' },
  'compares the beginning of the issuer': {
    signaling: { issuerHolds: ({ iss }, issuer = '') => String(iss).startsWith(issuer) },
    as: 'warn',
  },
  'takes any type': { signaling: { typeHolds: () => true }, as: 'warn' },
  'does not look at the time of issue': { signaling: { issuedAtHolds: () => true }, as: 'warn' },
}
