import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages(
    [
      'tokens kept by the local clock',
      'fresh tokens discarded by the local clock',
      'asks until a token is fresh by the local clock',
      'tokens kept for an hour',
      'its last token when the page is shown again',
      'the token route answered from a cache',
    ],
    { as: 'warn' },
  ),
}
