import type { BrokenVariants } from '../../src/requirement/define.ts'
import {
  issueForLastUser,
  issueOnce,
  printWith,
  signWithOwnKey,
  testTokens,
  withoutTestKey,
} from './lib/variant-consoles.ts'

export const broken: BrokenVariants = {
  'issues for a fixed user': { ...printWith((_, { issue }) => issue('admin')), as: 'warn' },
  'issues one token for all users': { ...issueOnce(() => 'everyone'), as: 'warn' },
  'issues the same token again for a user': { ...issueOnce(({ userId }) => userId), as: 'warn' },
  'issues for the user before': { ...issueForLastUser(), as: 'warn' },
  'issues for another form of the id': {
    ...printWith(({ userId }, { issue }) => issue(`test:${userId}`)),
    as: 'warn',
  },
  'issues tokens that live for thirty days': {
    ...printWith(({ userId }, { issueWith }) =>
      issueWith(userId, (claims) => ({ ...claims, exp: Number(claims['iat']) + 30 * 86_400 })),
    ),
    as: 'warn',
  },
  'issues tokens that never end': {
    ...printWith(({ userId }, { issueWith }) => issueWith(userId, ({ exp: _, ...claims }) => claims)),
    signaling: { expiryOf: ({ exp }) => (typeof exp === 'number' ? exp : null) },
    as: 'warn',
  },
  'signs test tokens with a key that signaling does not know': { ...signWithOwnKey(), as: 'warn' },
  'issues tokens that have ended': {
    ...printWith(({ userId }, { issueWith }) =>
      issueWith(userId, (claims) => ({ ...claims, exp: Number(claims['iat']) - 60 })),
    ),
    as: 'warn',
  },
  'signaling lets test tokens join as any user': {
    ...testTokens,
    signaling: {
      userOf: ({ sub, test }) => (test === true ? `any ${sub}` : String(sub)),
      joinsAs: (user, declared) =>
        user.startsWith('any ') ? (declared ?? user.slice(4)) : declared === user ? user : null,
    },
    as: 'warn',
  },
  'signaling never ends test tokens': {
    ...testTokens,
    signaling: { expiryOf: ({ exp, test }) => (test === true ? null : Number(exp)) },
    as: 'warn',
  },
  'signaling never ends test tokens, and its key is not known': withoutTestKey({
    ...testTokens,
    signaling: { expiryOf: ({ exp, test }) => (test === true ? null : Number(exp)) },
    as: 'warn',
  }),
  'signaling ends test tokens a minute late, and its key is not known': withoutTestKey({
    ...testTokens,
    signaling: { expiryOf: ({ exp, test }) => (test === true ? Number(exp) + 60 : Number(exp)) },
    as: 'warn',
  }),
  'a page of the console in place of a token': {
    ...printWith(async () => '<html><body>please sign in to the console</body></html>'),
    as: 'error',
  },
}
