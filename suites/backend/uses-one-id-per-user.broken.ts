import type { BrokenVariants } from '../../src/requirement/define.ts'
import { alsoWithoutDouble } from './lib/variants.ts'

export const broken: BrokenVariants = {
  ...alsoWithoutDouble({
    'makes an id up each time': { backend: { userId: () => crypto.randomUUID() } },
    'adds the device to the id': { backend: { userId: ({ userId, id }) => `${userId}/${id.slice(0, 8)}` } },
    'mints for everyone under one id': { backend: { userId: () => 'app' } },
  }),
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
}
