import type { BrokenVariants } from '../../src/requirement/define.ts'
import { followRedirects } from './lib/variant-redirects.ts'
import { backends } from './lib/variants.ts'

export const broken: BrokenVariants = backends({
  'follows redirects with all its headers': { callMint: followRedirects({}) },
  'moves the key to the query': {
    callMint: followRedirects({
      change: (url, { authorization, ...headers }) => {
        url.searchParams.set('key', authorization?.slice(7) ?? '')
        return headers
      },
    }),
  },
})
