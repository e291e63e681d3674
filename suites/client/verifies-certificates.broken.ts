import type { BrokenVariants } from '../../src/requirement/define.ts'
import { programs } from './lib/broken-clients.ts'

export const broken: BrokenVariants = {
  ...programs(
    [
      'verifies no certificate',
      'verifies no certificate of signaling',
      'verifies no certificate of its backend',
    ],
    { configuration: { client: { tls: true } }, as: 'warn' },
  ),
}
