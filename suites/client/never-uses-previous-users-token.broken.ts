import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages([
    'a fetch in flight shared by users',
    'a connection kept across users',
    'session of the first user',
    'tokens kept in storage across users',
    'whichever token comes first',
  ]),
  ...pages(['a socket left open at sign-out'], { as: 'warn' }),
}
