import { ofSignaling, warning } from '../lib/broken-rows.ts'

export const broken = warning(
  ofSignaling({
    'takes any audience': { audienceHolds: () => true },
    'takes a list of audiences unread': {
      audienceHolds: ({ aud }) => Array.isArray(aud) || aud === 'calling',
    },
    'takes any issuer': { issuerHolds: () => true },
    'compares the beginning of the issuer': {
      issuerHolds: ({ iss }, issuer = '') => String(iss).startsWith(issuer),
    },
    'takes any type': { typeHolds: () => true },
    'does not look at the time of issue': { issuedAtHolds: () => true },
  }),
)
