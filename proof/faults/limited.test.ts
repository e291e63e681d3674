import { expect, test } from 'vitest'
import { limited, slidingWindow, tokenBucket } from '../../fixtures/faults/limited.ts'
import { startReference } from '../../fixtures/stack.ts'
import type { PacedPart } from '../../src/base/pacing.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { runCheck, sortByPhase } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

// Services that limit the rate of their clients are judged to the end with nothing configured.

const catalogue = await loadCatalogue()

async function judged(part: PacedPart, variant: Variant, isWanted: (id: string) => boolean) {
  await using reference = await startReference({ variant })
  await using session = await openSession(reference.configuration)
  const checks = sortByPhase(catalogue.filter(({ id, role }) => role === part && isWanted(id)))
  const results = await Promise.all(checks.map((check) => runCheck(check, session)))
  const odd = results.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict))
  return {
    odd: odd.map(({ id, verdict, reason }) => `${id} ${verdict} ${reason}`),
    pace: session.foundPaces()[part],
  }
}

/** Those that need few requests: what is slow must not be long. */
const few = (id: string) => /-0[1-5]$/.test(id)
const all = () => true
/** A key that is rejected with 429 cannot be told from a limit by one answer. */
const withoutStates = (id: string) => !/^MINT-1[567]$/.test(id)

test.concurrent.each<[string, PacedPart, Variant, (id: string) => boolean, number]>([
  ['signaling that takes 40 dials a second', 'signaling', limited.signaling(slidingWindow(40), 429), all, 40],
  [
    'signaling that refuses all beyond 40 with 503',
    'signaling',
    limited.signaling(tokenBucket(40), 503),
    all,
    40,
  ],
  ['a mint with a bucket that 40 a second refill', 'mint', limited.mint(tokenBucket(40)), withoutStates, 40],
  ['a mint that takes 10 a second', 'mint', limited.mint(slidingWindow(10)), few, 10],
  ['a mint that takes 2 a second', 'mint', limited.mint(slidingWindow(2)), (id) => id === 'MINT-05', 2],
  ['a backend that nginx limits to 40 a second', 'backend', limited.backend(tokenBucket(40)), all, 40],
])('%s', async (_, part, variant, isWanted, most) => {
  const { odd, pace } = await judged(part, variant, isWanted)
  expect(odd).toEqual([])
  // A busy machine may be slower than the limit; a bucket serves more at first than it does in the end.
  expect(pace?.perSecond ?? 0).toBeLessThanOrEqual(most * 4)
})
