import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'

const daySeconds = 86_400
const asksFor = (ttl: unknown, ceilingSeconds = daySeconds, defaultSeconds = 900): Catch => ({
  backend: { ttlSeconds: () => ttl },
  mint: { ttl: { defaultSeconds, floorSeconds: 1, ceilingSeconds } },
})

export const broken: BrokenVariants = warning({
  'asks for a week': asksFor(7 * daySeconds, 30 * daySeconds),
  'asks for a day by a text, which the mint rejects': { backend: { ttlSeconds: () => '86400' } },
  'leaves it to a mint that grants a day': asksFor(undefined, daySeconds, daySeconds),
  "asks for a day, and the mint's answer cannot be seen": {
    backend: { ttlSeconds: () => daySeconds },
    configuration: { mint: null },
  },
})
