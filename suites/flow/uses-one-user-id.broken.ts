import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'the backend folds case': { backend: { userId: ({ userId }) => userId.toLowerCase() } },
  'the backend prefixes the id': { backend: { userId: ({ userId }) => `acme|${userId}` } },
  'the backend mints for everyone under one id': { backend: { userId: () => 'app' } },
  'the mint folds case': {
    mint: {
      claims: ({ userId }, { issuedAt, expiresAt }) => ({
        sub: userId.toLowerCase(),
        iat: issuedAt,
        exp: expiresAt,
      }),
    },
  },
  'the mint prefixes the id by another text each time': {
    mint: {
      claims: ({ userId }, { issuedAt, expiresAt }) => ({
        sub: `${crypto.randomUUID()}:${userId}`,
        iat: issuedAt,
        exp: expiresAt,
      }),
    },
  },
}
