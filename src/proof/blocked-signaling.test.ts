import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import acceptsFreshToken from '../../suites/signaling/accepts-fresh-token.ts'
import acceptsNewToken from '../../suites/signaling/accepts-new-token-after-rejection.ts'
import type { AnyCheck, Variant } from '../requirement/define.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'

// A protection against brute force rejects everyone from our address for a while. That accuses nobody.

async function judge(check: AnyCheck, signaling: Variant['signaling']) {
  const configuration = { token: { signWith: null }, limits: { patienceSeconds: 10 } }
  await using reference = await startReference({
    variant: { ...(signaling && { signaling }), configuration },
  })
  await using session = await openSession(reference.configuration, { wait: false })
  return await runCheck(check, session)
}

/** Answers every upgrade with 403 for a moment, from the given number of upgrades on. */
function blockingFrom(first: number): NonNullable<Variant['signaling']> {
  let upgrades = 0
  let until = 0
  return {
    handshake() {
      upgrades += 1
      if (upgrades === first) until = Date.now() + 1_500
      return Date.now() < until ? 403 : 'upgrade'
    },
  }
}

test('a block of everyone is waited out, and recorded', async () => {
  const { verdict, observations } = await judge(acceptsFreshToken, blockingFrom(2))
  expect(verdict).toBe('pass')
  expect(observations['signaling.blockedSeconds']).toBeGreaterThan(0)
})

test('a rejection while others are served is a violation', async () => {
  let joins = 0
  const { verdict } = await judge(acceptsFreshToken, {
    signatureHolds: (_, __, usual) => ++joins !== 2 && usual(),
  })
  expect(verdict).toBe('fail')
})

test('a block after a rejection is no ban of its user', async () => {
  let until = 0
  const { verdict, reason, observations } = await judge(acceptsNewToken, {
    handshake: () => (Date.now() < until ? 403 : 'upgrade'),
    refuse(_, announced) {
      until ||= Date.now() + 1_500
      return announced
    },
  })
  expect([verdict, reason]).toEqual(['untested', expect.stringContaining('disabled')])
  expect(observations['signaling.blockedSeconds']).toBeGreaterThan(0)
})
