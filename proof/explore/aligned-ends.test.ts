import { expect, test } from 'vitest'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { exploreVariant } from './prove-found.ts'

const marks = [300, 600, 3600]
const ask = { does: 'ask', key: 'the right key', who: ['alice'], lifetime: 'none', idempotency: null }
const wrong = { ...ask, key: 'no key', lifetime: 'long' }
const replay = { role: 'mint', breaks: 'EXP-44', opening: '', told: [], steps: [ask, wrong, ask] } as const

/** Ends all tokens at marks. Once a key was rejected, its clock passes the time from which the next mark is the end. */
function aligned(mark: number, mint: Variant['mint'] = {}): Variant {
  const first = Math.ceil(Date.now() / 1000 / mark) * mark - referenceMintPolicy.ttl.defaultSeconds
  let now = first - 1
  return {
    mint: {
      now: () => now * 1000,
      claims: (grant, { issuedAt, expiresAt }, tools) =>
        referenceMintPolicy.claims(grant, { issuedAt, expiresAt: Math.ceil(expiresAt / mark) * mark }, tools),
      answer(answer) {
        if (answer.status === 401) now = first + 1
        return answer
      },
      ...mint,
    },
  }
}

const tell = (variant: Variant) => exploreVariant('mint', variant, { seed: 1, milliseconds: 0, replay })

test.each(marks)('a mint that ends all tokens at marks of %i s is not accused', async (mark) => {
  expect(await tell(aligned(mark))).toMatchObject([{ id: 'EXP-44', verdict: 'pass' }])
})

test.each([300, 600])('a lifetime left over from another request is found at marks of %i s', async (mark) => {
  let left: unknown
  const keepsLifetime: Variant['mint'] = {
    lifetime: (asked, ttl) => referenceMintPolicy.lifetime(left ?? asked, ttl),
    logLine({ body }, { status }) {
      if (status === 401) left = 2 * 3600
      return body ?? ''
    },
  }
  expect(await tell(aligned(mark, keepsLifetime))).toMatchObject([{ id: 'EXP-44', verdict: 'fail' }])
})
