import type { IncomingHttpHeaders } from 'node:http'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { rememberingUsers } from './lib/known-users.ts'
import { earlyWelcomes } from './lib/taking-back.ts'

type Guest = NonNullable<NonNullable<Catch['signaling']>['guest']>

/** Whom a credential makes a guest, who joins as the user that the client declares. */
const guests: Readonly<Record<string, Guest>> = {
  'is open to all': () => 'guest',
  'lets clients without a credential in': (credential) => (credential === null ? 'guest' : null),
  'takes an empty credential': (credential) => (credential === '' ? 'guest' : null),
  'takes any text': (credential) => (credential === null || credential === '' ? null : 'guest'),
  'takes any text with two dots': (credential) => (credential?.split('.').length === 3 ? 'guest' : null),
  'takes what clients send that forgot to wait for their token': (credential) =>
    credential === 'undefined' || credential === 'null' ? 'guest' : null,
  'still knows a token from development': (credential) => (credential === 'test-token' ? 'guest' : null),
  'admits failed clients as guests': (credential) => (credential?.startsWith('ey') ? null : 'guest'),
}

/** Mistakes of signaling, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['signaling']>>> = {
  'welcomes as a guest who says nothing for three seconds': {
    carriage: { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
    idleMs: 3000,
    guestOfSilence: 'guest',
    joinsAs: (user, declared) => (declared === null || declared === user ? user : null),
  },
  'believes a gateway about the user': { identify: identifyBy(({ 'x-forwarded-user': user }) => user) },
  'believes X-User-Id': { identify: identifyBy(({ 'x-user-id': user }) => user) },
  'believes a user in the query, where the protocol declares none': {
    declaredUser: { in: 'none' },
    identify: identifyBy((_, query) => query.get('userId') ?? undefined),
  },
  'admits what seems to come from the machine itself': {
    identify: identifyBy((headers) => (headers['x-forwarded-for'] === '127.0.0.1' ? 'monitor' : undefined)),
    joinsAs: (user, declared) => declared ?? user,
  },
  'admits pages of its own origin': {
    identify: identifyBy(({ origin, host }) => (origin?.endsWith(`//${host}`) ? 'console' : undefined)),
    joinsAs: (user, declared) => declared ?? user,
  },
  'admits pages of localhost': {
    identify: identifyBy(({ origin }) => (origin === 'http://localhost' ? 'developer' : undefined)),
    joinsAs: (user, declared) => declared ?? user,
  },
  'admits clients that say nothing of themselves, under a name of its own': {
    guest: (credential) => (credential === null ? 'guest' : null),
    joinsAs: (user, declared) => (declared === null || declared === user ? user : null),
  },
  'greets every client, whatever follows': {
    carriage: { in: 'message', template: '{"token":"{jwt}"}', after: 'open' },
    guest: (credential) => (credential?.startsWith('ey') ? null : 'guest'),
    joinsAs: (user, declared) => declared ?? user,
  },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (signaling) => ({ signaling })),
  ...rows(guests, (guest) => ({ signaling: { guest, joinsAs: (user, declared) => declared ?? user } })),
  ...earlyWelcomes,
  'remembers who has joined, and accepts any client as that user': rememberingUsers(),
}

/** Signaling that takes its user from a header or the query, where that names one. */
function identifyBy(
  userOf: (headers: IncomingHttpHeaders, query: URLSearchParams) => string | string[] | undefined,
): NonNullable<NonNullable<Catch['signaling']>['identify']> {
  return async ({ headers, url }, usual) => {
    const user = userOf(headers, new URL(url ?? '', 'http://signaling').searchParams)
    return typeof user === 'string' ? { userId: user, expiresAt: null } : usual()
  }
}
