import { describe, expect, test } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { defaultLimits } from '../../base/limits.ts'
import type { Mint, MintedToken } from './driver.ts'
import { createExpiry, type ExpiryOptions } from './expiry.ts'

const minted: MintedToken = {
  jwt: 'x',
  userId: 'u',
  at: 'token',
  read: null,
  lifetime: { byClaims: 60, byClock: 60.4 },
  askedSeconds: 60,
  sentAt: 1000,
  receivedAt: 1200,
  exchange: 'x1',
}
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
  createExpiry({
    mint,
    clock: scriptedClock(),
    limits: defaultLimits,
    wait: true,
    onWaiting: () => {},
    ...change,
  })

describe('a short-lived token', () => {
  test('ends a lifetime after its receipt, and may end a second early since exp has whole seconds', async () => {
    expect(await expiryWith().token('u')).toMatchObject({ mayExpireAt: 60_000, expiredAt: 61_600 })
  })

  test('is left untested where waiting is switched off or would take too long', async () => {
    await expect(expiryWith({ wait: false }).token('u')).rejects.toThrow(Untested)
    const short = expiryWith({ limits: { ...defaultLimits, maxTtlWaitSeconds: 30 } })
    await expect(short.token('u')).rejects.toThrow('TTL floor 60 s exceeds the limit of 30 s')
  })
})

test('is tried at growing distances up to five seconds beyond the limit of leeway', () => {
  expect(expiryWith().trials).toEqual([2, 5, 15, 35, 65, 125, 185, 245, 305])
  expect(expiryWith({ limits: { ...defaultLimits, leewayFailSeconds: 5 } }).trials).toEqual([2, 5, 10])
})

test('a clock that was set during the wait costs the control', async () => {
  await expect(expiryWith({ clock: scriptedClock(5000) }).until(9000)).rejects.toThrow(ControlLost)
  await expect(expiryWith().until(9000)).resolves.toBeUndefined()
})
