import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'the backend keeps one token for everyone': {
    backend: {
      tokenFor: (userId, { kept, mint }) => {
        const token = kept.get('') ?? mint(userId)
        kept.set('', token)
        return token
      },
    },
  },
  'the backend shares a request that is under way': {
    backend: {
      tokenFor: (userId, { kept, mint }) => {
        const token = kept.get('') ?? mint(userId).finally(() => kept.delete(''))
        kept.set('', token)
        return token
      },
    },
  },
  'the backend keeps the user in a variable': {
    backend: {
      tokenFor: (() => {
        let current = ''
        return async (userId: string, { mint }) => {
          current = userId
          await new Promise((resolve) => setImmediate(resolve))
          return await mint(current)
        }
      })(),
    },
  },
}
