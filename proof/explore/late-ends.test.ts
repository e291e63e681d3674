import { expect, test } from 'vitest'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { exploreVariant } from './prove-found.ts'

/** Longer than a test may take. */
const endsLaterBySeconds = 3600

const endsLate: Variant = {
  mint: {
    claims: (grant, { issuedAt, expiresAt }, tools) =>
      referenceMintPolicy.claims(grant, { issuedAt, expiresAt: expiresAt + endsLaterBySeconds }, tools),
  },
}

test('a mint whose shortest tokens live for an hour is not waited for, and leaves expiry unjudged', async () => {
  const checks = await exploreVariant('signaling', endsLate, { seed: 1, milliseconds: 1_000 })
  const expiry = checks.filter(({ id }) => id === 'EXP-22' || id === 'EXP-25')
  const unjudged = {
    verdict: 'untested',
    reason: expect.stringMatching(/a token that was asked for 1 s lives for 360\d s$/),
  }
  expect(expiry).toMatchObject([unjudged, unjudged])
})

test('signaling with a leeway of half a minute leaves expiry unjudged', async () => {
  const variant: Variant = { signaling: { leewaySeconds: 30 } }
  const checks = await exploreVariant('signaling', variant, { seed: 1, milliseconds: 1_000 })
  const expiry = checks.filter(({ id }) => id === 'EXP-22' || id === 'EXP-25')
  const unjudged = { verdict: 'untested', reason: expect.stringContaining('SIG-06 judges that') }
  expect(expiry).toMatchObject([unjudged, unjudged])
})
