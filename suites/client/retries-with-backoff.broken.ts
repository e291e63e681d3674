import type { BrokenVariants } from '../../src/requirement/define.ts'
import { pages } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...pages(
    [
      'retries without a pause',
      'delays that do not grow',
      'delays without jitter',
      'asks its backend again at once',
      'two mints for each failure',
    ],
    { as: 'warn' },
  ),
}
