import { setTimeout } from 'node:timers/promises'
import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofSignaling } from '../lib/broken-rows.ts'
import { takingEvents } from './changes-no-open-sockets-user.broken.ts'
import { type Signaling, saying, statedBy, subjectOf } from './lib/variants.ts'

export const broken: BrokenVariants = {
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
          declaredUser: { in: 'none', name: null, detected: true },
        },
      },
    },
  },
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
      stated.set(subjectOf(token), userId)
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
    welcome: saying(() => JSON.stringify({ type: 'welcome', userId: current })),
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
