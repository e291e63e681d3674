import { expect, test } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { defaultLimits } from '../../base/http/limits.ts'
import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { whileJudging } from '../../base/judging.ts'
import { createMintBudget } from './budget.ts'
import type { Mint, MintedToken } from './driver.ts'
import { createExpiry, type ExpiryOptions } from './expiry.ts'
import { createNearMissKeys } from './near-miss-keys.ts'

const issued = () => true

test('holds back what would go beyond the limit, many at once included', async () => {
  const budget = createMintBudget(3)
  let sent = 0
  const mint = () => budget.spend(async () => ++sent, issued)
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, mint))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(sent).toBe(3)
})

test('does not count what was refused', async () => {
  const budget = createMintBudget(1)
  await budget.spend(
    async () => 401,
    (status) => status === 200,
  )
  await expect(budget.spend(() => Promise.reject(new Error('lost')), issued)).rejects.toThrow('lost')
  expect(await budget.spend(async () => 200, issued)).toBe(200)
  await expect(budget.spend(async () => 200, issued)).rejects.toThrow(
    'the limit of 1 calling tokens (--max-mints)',
  )
})

test('tells whose wish it denied, though the error was swallowed', async () => {
  const budget = createMintBudget(0)
  const [tokens, others] = [{ isDenied: false }, { isDenied: false }]
  await whileJudging({ tokens }, () => Promise.allSettled([budget.spend(async () => 1, issued)]))
  expect([tokens, others]).toEqual([{ isDenied: true }, { isDenied: false }])
})

test('without a limit denies nothing', async () => {
  const budget = createMintBudget(null)
  budget.count()
  expect(await budget.spend(async () => 1, issued)).toBe(1)
})

const lifetime = { byClaims: 60, byClock: 60.4 }
const minted = { jwt: 'x', lifetime, askedSeconds: 60, sentAt: 1000, receivedAt: 1200 } as MintedToken
const mint = { minTtlSeconds: 60, token: async () => minted } as unknown as Mint

/** A clock whose waits take no time; the wall clock can be set meanwhile. */
function scriptedClock(wallJumpMs = 0): Clock {
  let now = 1200
  let jump = 0
  return {
    monotonic: () => now,
    wall: () => now + jump,
    until: async (instant) => {
      now = Math.max(now, instant)
      jump = wallJumpMs
    },
  }
}

const expiryWith = (change: Partial<ExpiryOptions> = {}) =>
  createExpiry({ mint, clock: scriptedClock(), limits: defaultLimits, wait: true, ...change })

test('a short-lived token ends a lifetime after its receipt, and may end a second early since exp has whole seconds', async () => {
  expect(await expiryWith().token('u')).toMatchObject({ mayExpireAt: 60_000, expiredAt: 61_600 })
})

test('a short-lived token is left untested where waiting is switched off or would take too long', async () => {
  await expect(expiryWith({ wait: false }).token('u')).rejects.toThrow(Untested)
  const short = expiryWith({ limits: { ...defaultLimits, maxTtlWaitSeconds: 30 } })
  await expect(short.token('u')).rejects.toThrow('TTL floor 60 s exceeds the limit of 30 s')
})

test('is tried at growing distances up to five seconds beyond the limit of leeway', () => {
  expect(expiryWith().trials).toEqual([2, 5, 15, 35, 65, 125, 185, 245, 305])
  expect(expiryWith({ limits: { ...defaultLimits, leewayFailSeconds: 5 } }).trials).toEqual([2, 5, 10])
})

test('a clock that was set during the wait costs the control', async () => {
  await expect(expiryWith({ clock: scriptedClock(5000) }).until(9000)).rejects.toThrow(ControlLost)
  await expect(expiryWith().until(9000)).resolves.toBeUndefined()
})

const decoded = (key: string) => Buffer.from(key.slice('ac_live_'.length), 'base64url').toString('hex')

// A key of 43 characters carries 32 bytes: a decoder ignores two bits of the last one.
test.each([40, 42, 43])('makes no key of %i characters that decodes like the valid one', (length) => {
  for (const last of '07Aafz9_-') {
    const key = `ac_live_${'k3Vt8RcW1nYb6KsD0fGq5JzX4aEuPm2HrL7oSd9TgAxx'.slice(0, length - 1)}${last}`
    const near = createNearMissKeys(key, 'b'.repeat(key.length))
    expect(near.length).toBeGreaterThan(18)
    for (const [name, candidate] of near) {
      expect(candidate, name).not.toBe(key)
      if (candidate.startsWith('ac_live_'))
        expect(decoded(candidate), `${name}, ${last}`).not.toBe(decoded(key))
    }
    const names = near.map(([name]) => name)
    expect(names).toContain('a key that differs in its last character')
    expect(names).toEqual(expect.arrayContaining(['hyphens after the key', 'underscores after the key']))
  }
})
