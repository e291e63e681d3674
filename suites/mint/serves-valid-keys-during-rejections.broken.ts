import type { BrokenVariants } from '../../src/requirement/define.ts'
import { ofMint, rows } from '../lib/broken-rows.ts'
import { acceptingEvery, banningNext, inheritingUser, leakingWorkers } from './lib/variant-damage.ts'

/** What requests meet when rejected ones keep all workers; null is no answer. */
const leaks = {
  'keeps the workers of rejected requests': { status: 503, hitsAll: true },
  'keeps the workers of rejected requests, and fails without one': { status: 500, hitsAll: true },
  'keeps what rejected requests had locked, which only valid ones wait for': { status: null, hitsAll: false },
} as const

export const broken: BrokenVariants = {
  ...rows<(typeof leaks)[keyof typeof leaks]>(leaks, (leak) => ({
    ...leakingWorkers(20, leak),
    configuration: { limits: { neverSeconds: 3, patienceSeconds: 2, requestSeconds: 8 } },
  })),
  ...ofMint({
    'accepts a key after ten rejections': acceptingEvery(11),
    'issues for the user of the rejected request': inheritingUser(),
    'bans another user for good after five rejections': banningNext(5),
  }),
}
