import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages(['hangs without signalingUrl', 'refuses to connect without signalingUrl']),
}
