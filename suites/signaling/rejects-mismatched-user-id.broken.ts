import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofSignaling, rows } from '../lib/broken-rows.ts'
import { claimsOf, takingEvents } from './lib/variant-open-sockets.ts'
import { statedBy } from './lib/variants.ts'

type Signaling = NonNullable<Catch['signaling']>
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

const undeclared = { in: 'none', name: null, detected: true }

export const broken: BrokenVariants = {
  ...rows(joins, (joinsAs) => ({ signaling: { joinsAs } })),
  ...rows(believed, (signaling) => ({ signaling: { joinsAs: asDeclared, ...signaling } })),
  ...ofSignaling({
    'takes the user of a header for that of the token': {
      identify: statedBy('verified', ({ headers }) => headers['x-user-id']),
      joinsAs: (user) => user,
    },
    'takes the user of a header for that of the token, where none is declared': {
      declaredUser: { in: 'none' },
      identify: statedBy('verified', ({ headers }) => headers['x-forwarded-user']),
    },
    'keeps the user in a variable': keepingUser(),
    'mixes users up in a crowd': mixingCrowds(),
  }),
  'trusts the declaration, where a detected profile knows of none': {
    signaling: { joinsAs: asDeclared, welcome: saying(() => '{"type":"welcome"}') },
    configuration: { signaling: { profile: { declaredUser: undeclared } } },
    as: 'untested',
  },
  'compares without case, and names no user': {
    signaling: {
      joinsAs: (user, declared) => (declared?.toLowerCase() === user.toLowerCase() ? user : null),
      welcome: saying(() => '{"type":"welcome"}'),
    },
    as: 'untested',
  },
  'takes the user of the query for that of the token, where none is declared': {
    signaling: {
      declaredUser: { in: 'none' },
      identify: statedBy('verified', (_, query) => query.get('userId')),
    },
    configuration: { signaling: { profile: { declaredUser: { in: 'none' } } } },
  },
  'takes the user beside the token of Socket.IO for that of the token, where none is declared': {
    signaling: readingBesideToken(),
    configuration: {
      signaling: {
        profile: {
          carriage: { in: 'message', template: '40{"token":"{jwt}"}', after: 'open' },
          declaredUser: undeclared,
        },
      },
    },
  },
}

/** A welcome of one frame. */
function saying(frame: (userId: string) => string, startsWith?: string) {
  return {
    frames: (userId: string) => [frame(userId)],
    sign:
      startsWith === undefined ? { frame: { path: '$.type', equals: 'welcome' } } : { text: { startsWith } },
  }
}

/** Signaling with messages in the form of Socket.IO. It takes the user from the object with the token. */
function readingBesideToken(): Signaling {
  const stated = new Map<unknown, unknown>()
  return {
    ...takingEvents(() => null),
    carriage: { in: 'message', template: '40{jwt}', after: 'open' },
    declaredUser: { in: 'none' },
    async open(credential) {
      const { token, userId } = JSON.parse(credential)
      stated.set(claimsOf(token).sub, userId)
      return token
    },
    userOf: ({ sub }) => String(stated.get(sub) ?? sub),
  }
}

/** Signaling that welcomes the user that was verified last. */
function keepingUser(): Signaling {
  let current = ''
  return {
    async identify(_, usual) {
      const verified = await usual()
      current = verified.userId
      await setTimeout(1_000)
      return verified
    },
    welcome: {
      frames: () => [JSON.stringify({ type: 'welcome', userId: current })],
      sign: { frame: { path: '$.type', equals: 'welcome' } },
    },
  }
}

/** Signaling that is wrong only where many join at once, the same user among them. */
function mixingCrowds(): Signaling {
  const underWay = new Set<{ readonly userId: string }>()
  return {
    async identify(_, usual) {
      const verified = await usual()
      const { userId } = verified
      const one = { userId }
      underWay.add(one)
      await setTimeout(1_000)
      const users = [...underWay].map((each) => each.userId)
      underWay.delete(one)
      const isCrowd = users.filter((user) => user === userId).length > 1
      return isCrowd ? { ...verified, userId: users.find((user) => user !== userId) ?? userId } : verified
    },
    joinsAs: (user) => user,
  }
}
