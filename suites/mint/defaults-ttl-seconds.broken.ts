import type { BrokenVariants } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export const broken: BrokenVariants = {
  'wants a ttl': {
    mint: {
      lifetime: (asked) => {
        if (typeof asked !== 'number') throw new Error('ttlSeconds is missing')
        return asked
      },
    },
  },
  'issues a token without an end': {
    mint: {
      claims: ({ userId, lifetimeSeconds }, { issuedAt, expiresAt }) => ({
        sub: userId,
        iat: issuedAt,
        exp: lifetimeSeconds === 900 ? undefined : expiresAt,
      }),
    },
  },
  'issues a token for a month': {
    mint: { lifetime: (asked) => Number(asked ?? 2_592_000) },
    as: 'warn',
  },
  'answers without a token': {
    mint: {
      answer: (answer, { body }) =>
        body?.includes('ttlSeconds') === false ? jsonAnswer({ warning: 'ttlSeconds is missing' }) : answer,
    },
  },
  'never answers': {
    mint: {
      answer: (answer, { body }) =>
        body?.includes('ttlSeconds') === false ? new Promise(() => undefined) : answer,
    },
    configuration: { limits: { requestSeconds: 8 } },
  },
}
