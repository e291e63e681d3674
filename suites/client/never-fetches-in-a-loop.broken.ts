import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages(['tokens renewed in a loop', 'a token every second'], { as: 'warn' }),
}
