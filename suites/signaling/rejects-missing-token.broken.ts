import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling, rows } from '../lib/broken-rows.ts'
import { asDeclared, earlyWelcomes, rememberingUsers, statedBy } from './lib/variants.ts'

/** Credentials whose bearers join as the user that they declare. */
const guests: Readonly<Record<string, (credential: string | null) => boolean>> = {
  'is open to all': () => true,
  'lets clients without a credential in': (credential) => credential === null,
  'takes an empty credential': (credential) => credential === '',
  'takes any text': (credential) => credential !== null && credential !== '',
  'takes any text with two dots': (credential) => credential?.split('.').length === 3,
  'takes what clients send that forgot to wait for their token': (credential) =>
    credential === 'undefined' || credential === 'null',
  'still knows a token from development': (credential) => credential === 'test-token',
  'admits failed clients as guests': (credential) => !credential?.startsWith('ey'),
}

/** Upgrades for which signaling asks for no token. */
const admitted: Readonly<Record<string, Parameters<typeof statedBy>[1]>> = {
  'admits what seems to come from the machine itself': ({ headers }) =>
    headers['x-forwarded-for'] === '127.0.0.1' ? 'monitor' : null,
  'admits pages of its own origin': ({ headers: { origin, host } }) =>
    origin?.endsWith(`//${host}`) ? 'console' : null,
  'admits pages of localhost': ({ headers }) => (headers.origin === 'http://localhost' ? 'developer' : null),
}

export const broken: BrokenVariants = {
  ...ofSignaling({
    'welcomes as a guest who says nothing for three seconds': {
      carriage: { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
      idleMs: 3000,
      guestOfSilence: 'guest',
      joinsAs: (user, declared) => (declared === null || declared === user ? user : null),
    },
    'believes a gateway about the user': {
      identify: statedBy('unverified', ({ headers }) => headers['x-forwarded-user']),
    },
    'believes a user in the query, where the protocol declares none': {
      declaredUser: { in: 'none' },
      identify: statedBy('unverified', (_, query) => query.get('userId')),
    },
    'admits clients that say nothing of themselves, under a name of its own': {
      guest: (credential) => (credential === null ? 'guest' : null),
      joinsAs: (user, declared) => (declared === null || declared === user ? user : null),
    },
    'greets every client, whatever follows': {
      carriage: { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
      ...asDeclared((credential) => !credential?.startsWith('ey')),
    },
  }),
  ...rows(guests, (isGuest) => ({ signaling: asDeclared(isGuest) })),
  ...rows(admitted, (userOf) => ({
    signaling: {
      identify: statedBy('unverified', userOf),
      joinsAs: (user, declared) => declared ?? user,
    },
  })),
  ...earlyWelcomes,
  'remembers who has joined, and accepts any client as that user': rememberingUsers(),
}
