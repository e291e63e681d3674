import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { rememberingUsers } from './lib/known-users.ts'
import { earlyWelcomes } from './lib/taking-back.ts'

/** Signaling that asks neither for whom nor by whom a token was issued. */
const anyPurpose = { issuerHolds: () => true, audienceHolds: () => true }

/** Mistakes of signaling, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['signaling']>>> = {
  'takes any bearer': {
    guest: (credential) => (credential === null ? null : 'guest'),
    joinsAs: (user, declared) => declared ?? user,
  },
  'lets servers join as any user': {
    guest: (credential) => (credential?.startsWith('ac_live_') ? 'server' : null),
    joinsAs: (user, declared) => (user === 'server' ? declared : user),
  },
  'lets servers join that state no user': {
    guest: (credential) => (credential?.startsWith('ac_live_') ? 'server' : null),
    joinsAs: (user, declared) => (declared === null || declared === user ? user : null),
  },
  'reads any JWT': { signatureHolds: () => true, ...anyPurpose },
  'takes any JWT of HS256 for one of its own': {
    signatureHolds: ({ header }, _, usual) => header['alg'] === 'HS256' || usual(),
    ...anyPurpose,
  },
  "takes the sessions of the customer's app": {
    guest: (credential) =>
      credential === null || credential.split('.').length > 1 || credential.startsWith('ac_')
        ? null
        : 'session',
    joinsAs: (user, declared) => (user === 'session' ? declared : user),
  },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (signaling) => ({ signaling })),
  ...earlyWelcomes,
  'remembers who has joined, and takes any bearer for that user': rememberingUsers(),
}
