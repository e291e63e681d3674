import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages, programs } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages([
    'connects without a userId',
    'connects without a displayName',
    'connects without getAuthToken',
    'connects without any token',
  ]),
  ...programs(['connects without a userId']),
}
