import { expect, test } from 'vitest'
import { judgeParts } from '../../src/requirement/testing/judge-parts.ts'
import mint14 from './issues-new-tokens.ts'
import { isHidden } from './lib/revoke-key.ts'
import mint27 from './serves-valid-keys-during-rejections.ts'

// A look that comes too late, or too seldom, shows nothing.

test.each([
  ['in the next request', 60, 35, 60.2, false],
  ['at once', 1, 0, 0.4, false],
  ['long after requests that were lost', 60, 35, 200, true],
  ['late, behind a token that came behind the limit', 60, 90, 200, false],
])('MINT-21: a first rejection %s', (_, limit, late, rejected, hides) => {
  expect(isHidden(limit, late, rejected)).toBe(hides)
})

test.each([
  ['soon', [1_100], 'pass'],
  ['soon behind one that had to wait', [20_000, 20_000, 1_100], 'pass'],
  ['when a cache of seconds has dropped the token before, each time', [], 'untested'],
])('MINT-14: a request that is sent %s', async (_, waits, verdict) => {
  const rest = [...waits]
  let now = 0
  const token = async () => ({ jwt: `t-${now}`, sentAt: now, receivedAt: now, exchange: 'x1' })
  const clock = {
    until: async () => {
      now += rest.shift() ?? 20_000
    },
  }
  expect(await judgeParts(mint14, { mint: { token }, newUser: () => 'u', clock })).toMatchObject({ verdict })
})

test.each([
  ['answers slowly', true, 'pass'],
  ['answers no request with an unknown key', false, 'untested'],
])('MINT-27: a mint that %s', async (_, isAnswering, verdict) => {
  let now = 0
  let rejections = 0
  const request = async ({ key }: { readonly key?: string }) => {
    now += 1_000
    if (key === undefined) return { kind: 'answer', status: 200, jwt: 't', exchange: 'x1' }
    rejections += 1
    return isAnswering
      ? { kind: 'answer', status: 401, exchange: 'x2' }
      : { kind: 'no-answer', failure: 'timeout', message: 'was silent', exchange: 'x2' }
  }
  const parts = {
    mint: {
      apiKey: `ac_live_${'k'.repeat(40)}`,
      request,
      token: async () => ({ jwt: 't' }),
      userIdPaths: async () => [],
      issuedBy: ({ jwt = null }) => jwt,
      pathsHolding: () => [],
    },
    newUser: () => `u-${now}`,
    randomBytes: (length: number) => Buffer.alloc(length, 7),
    clock: { monotonic: () => now, until: async () => undefined },
  }
  expect(await judgeParts(mint27, parts)).toMatchObject({ verdict })
  expect(rejections).toBeGreaterThanOrEqual(25)
})
