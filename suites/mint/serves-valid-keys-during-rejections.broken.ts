import type { BrokenVariants } from '../../src/requirement/define.ts'
import { acceptingEvery, banningNext, inheritingUser, leakingWorkers } from './lib/variant-damage.ts'

const impatient = { limits: { neverSeconds: 3, patienceSeconds: 2, requestSeconds: 8 } }

export const broken: BrokenVariants = {
  'keeps the workers of rejected requests': {
    ...leakingWorkers(20, { status: 503, hitsAll: true }),
    configuration: impatient,
  },
  'keeps the workers of rejected requests, and fails without one': {
    ...leakingWorkers(20, { status: 500, hitsAll: true }),
    configuration: impatient,
  },
  'keeps what rejected requests had locked, which only valid ones wait for': {
    ...leakingWorkers(20, { status: null, hitsAll: false }),
    configuration: impatient,
  },
  'accepts a key after ten rejections': acceptingEvery(11),
  'issues for the user of the rejected request': inheritingUser(),
  'bans another user for good after five rejections': banningNext(5),
}
