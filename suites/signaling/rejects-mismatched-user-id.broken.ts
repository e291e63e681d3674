import type { BrokenVariants } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { type Signaling, saying } from './lib/variants.ts'

type Join = NonNullable<Signaling['joinsAs']>

const asDeclared: Join = (user, declared) => declared ?? user

/** As whom a client joins. */
const joins: Readonly<Record<string, Join>> = {
  'trusts the declaration': asDeclared,
  'trusts the declaration of users that it knows': (user, declared) =>
    declared?.startsWith('tt-') ? declared : user,
  'takes capitals for the same': (user, declared) =>
    declared?.toLowerCase() === user.toLowerCase() ? declared : null,
  'takes all users in lower case': (user) => user.toLowerCase(),
  'compares as far as the declaration goes': (user, declared) =>
    user.startsWith(declared ?? '') ? declared : null,
  'compares without blanks, and joins as the declared user': (user, declared) =>
    declared?.trim() === user ? declared : null,
  'compares where a user is declared at all, and joins as the declared one': (user, declared) =>
    declared === '' || declared === user ? declared : null,
  'compares as far as the token goes': (user, declared) => (declared?.startsWith(user) ? declared : null),
}

/** Where a client declares the user that it then joins as, and what it is told. */
const believed: Readonly<Record<string, Signaling>> = {
  'trusts the declaration, and tells the client its own user': {
    welcome: saying(() => '{"type":"welcome"}'),
  },
  'trusts the declaration, and names the user in an event of Socket.IO': {
    welcome: saying((userId) => `42["welcome",${JSON.stringify({ userId })}]`, '42["welcome"'),
  },
  'trusts the declaration, and names the user in XML': {
    welcome: saying((userId) => `<welcome user='${userId}'/>`, '<welcome'),
  },
  'trusts the declaration in a header': { declaredUser: { in: 'header', name: 'X-Calling-User' } },
  'trusts the declaration beside the token in a message': {
    carriage: { in: 'message', template: '{"token":"{jwt}","as":"{userId}"}', after: 'open' },
    declaredUser: { in: 'carriage' },
  },
  'trusts the declaration in a message of its own': {
    declaredUser: { in: 'message', template: '{"type":"hello","as":"{userId}"}' },
  },
}

export const broken: BrokenVariants = {
  ...rows(joins, (joinsAs) => ({ signaling: { joinsAs } })),
  ...rows(believed, (signaling) => ({ signaling: { joinsAs: asDeclared, ...signaling } })),
  'trusts the declaration, where a detected profile knows of none': {
    signaling: { joinsAs: asDeclared, welcome: saying(() => '{"type":"welcome"}') },
    configuration: { signaling: { profile: { declaredUser: { in: 'none', name: null, detected: true } } } },
    as: 'untested',
  },
  'compares without case, and names no user': {
    signaling: {
      joinsAs: (user, declared) => (declared?.toLowerCase() === user.toLowerCase() ? user : null),
      welcome: saying(() => '{"type":"welcome"}'),
    },
    as: 'untested',
  },
}
