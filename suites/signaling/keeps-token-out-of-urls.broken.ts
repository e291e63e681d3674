import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'takes cookies from every page': {
    signaling: { carriage: { in: 'cookie', name: 'calling_token' }, admitsOrigin: () => true },
    as: 'warn',
  },
  'has the token in the address': {
    signaling: { carriage: { in: 'query', name: 'access_token' } },
    as: 'warn',
  },
}
