import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import type { AnyCheck, Variant } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import connectsEndToEnd from '../../suites/flow/connects-end-to-end.ts'
import acceptsFreshToken from '../../suites/signaling/accepts-fresh-token.ts'
import acceptsNewToken from '../../suites/signaling/accepts-new-token-after-rejection.ts'
import rejectsTampered from '../../suites/signaling/rejects-tampered-token.ts'
import servesUsers from '../../suites/signaling/serves-users-during-refusals.ts'

// A protection against brute force rejects everyone from our address for a while. That accuses nobody.

async function judge(
  check: AnyCheck,
  signaling: Variant['signaling'],
  { patienceSeconds = 10, neverSeconds }: Surroundings = {},
) {
  const configuration = { token: { signWith: null }, limits: { patienceSeconds, neverSeconds } }
  await using reference = await startReference({
    variant: { ...(signaling && { signaling }), configuration },
  })
  await using session = await openSession(reference.configuration, { wait: false })
  return await runCheck(check, session)
}

interface Surroundings {
  readonly patienceSeconds?: number
  readonly neverSeconds?: number
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

test.each([
  { verdict: 'fail', isRefused: (token: string, tokens: readonly string[]) => token === tokens[1] },
  { verdict: 'warn', isRefused: (_: string, tokens: readonly string[]) => tokens.length === 2 },
] as const)('a token rejected while others are served is a $verdict', async ({ verdict, isRefused }) => {
  const offered: string[] = []
  const judged = await judge(acceptsFreshToken, {
    signatureHolds({ token }, _, usual) {
      offered.push(token)
      return !isRefused(token, offered) && usual()
    },
  })
  expect(judged.verdict).toBe(verdict)
})

test('a block after a rejection is no ban of its user', async () => {
  let until = 0
  const { verdict, reason, observations } = await judge(acceptsNewToken, {
    handshake: () => (Date.now() < until ? 403 : 'upgrade'),
    refuse(_, announced) {
      until ||= Date.now() + 8_000
      return announced
    },
  })
  expect([verdict, reason]).toEqual(['untested', expect.stringContaining('disabled')])
  expect(observations['signaling.blockedSeconds']).toBeGreaterThan(0)
})

test.each([acceptsFreshToken, connectsEndToEnd])(
  '$id: rejections of everyone, from the first to the last, are a violation',
  async (check) => {
    const { verdict } = await judge(check, { handshake: () => 403 })
    expect(verdict).toBe('fail')
  },
)

test.each([
  { status: 403, verdict: 'pass', isBrokenAfter: false },
  { status: 403, verdict: 'fail', isBrokenAfter: true },
  { status: 401, verdict: 'pass', isBrokenAfter: false },
  { status: 401, verdict: 'fail', isBrokenAfter: true },
] as const)(
  'attacks during a block by $status are offered again after it: $verdict',
  async ({ status, verdict, isBrokenAfter }) => {
    let until = 0
    let rejections = 0
    const { verdict: judged } = await judge(rejectsTampered, {
      signatureHolds: (_, __, usual) => (isBrokenAfter && until > 0) || usual(),
      handshake() {
        if (Date.now() >= until) return 'upgrade'
        until = Date.now() + 2_000
        return status
      },
      refuse(_, announced) {
        rejections += 1
        if (rejections === 5) until = Date.now() + 4_000
        return announced
      },
    })
    expect(judged).toBe(verdict)
  },
)

test('an address that is locked out for good by 401 is a ban of this machine, and no violation', async () => {
  const locked = new Set<string | undefined>()
  let rejections = 0
  let last: string | undefined
  const { verdict, reason } = await judge(
    servesUsers,
    {
      handshake({ socket: { remoteAddress } }) {
        last = remoteAddress
        return locked.has(remoteAddress) ? 401 : 'upgrade'
      },
      refuse(_, announced) {
        rejections += 1
        if (rejections === 20) locked.add(last)
        return announced
      },
    },
    { patienceSeconds: 2, neverSeconds: 3 },
  )
  expect([verdict, reason]).toEqual(['error', expect.stringContaining('raise limits.patienceSeconds')])
})
