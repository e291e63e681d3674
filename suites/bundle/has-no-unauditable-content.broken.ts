import type { BrokenVariants } from '../../src/requirement/define.ts'
import { createSample } from './lib/sample.ts'

export const broken: BrokenVariants = {
  'with a part that cannot be read': { ...createSample('unreadable'), as: 'untested' },
}
