import type { BrokenVariants } from '../../src/requirement/define.ts'
import { alsoWithoutDouble } from './lib/variants.ts'

export const broken: BrokenVariants = {
  ...alsoWithoutDouble({
    'takes the session for the user': { backend: { userId: ({ id }) => id } },
    'makes an id up each time': { backend: { userId: () => crypto.randomUUID() } },
    'adds the device to the id': { backend: { userId: ({ userId, id }) => `${userId}/${id.slice(0, 8)}` } },
    'mints for everyone under one id': { backend: { userId: () => 'app' } },
  }),
  'cuts the id to its first two characters': { backend: { userId: ({ userId }) => userId.slice(0, 2) } },
  'tries again for the user who came before': {
    backend: (() => {
      let last = ''
      return {
        async tokenFor(userId, { mint }) {
          const before = last
          last = userId
          return await mint(userId).catch(() => mint(before))
        },
      }
    })(),
  },
  'numbers its callers': {
    backend: {
      callingToken: async (_, { authenticate, mint, kept }) => {
        const { userId } = await authenticate()
        const minted = mint(`${userId}-${kept.size % 2}`)
        kept.set(String(kept.size), minted)
        return minted
      },
    },
  },
}
