import { expect, test } from 'vitest'
import { jsonAnswer } from '../../fixtures/answer.ts'
import type { BackendPolicy } from '../../fixtures/backend/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import recovers from '../../suites/backend/recovers-from-stalled-mint.ts'
import { partsOf } from '../variants/testing/prove.ts'

// A user who was locked out for good by the rejections of others.

interface LockOptions {
  readonly status?: number
  readonly who?: readonly string[]
  readonly lastsMs?: number
  readonly prolongs?: boolean
}

/** Three rejected sessions lock a user out. */
function lockingOut({
  status = 401,
  who = ['u-Bob'],
  lastsMs = Number.POSITIVE_INFINITY,
  prolongs = false,
}: LockOptions): Partial<BackendPolicy> {
  let rejections = 0
  let until = 0
  class LockedOut extends Error {}
  return {
    async callingToken(_request, { authenticate, userId, tokenFor }) {
      const id = userId(await authenticate())
      if (performance.now() < until && who.includes(id)) {
        if (prolongs) until = performance.now() + lastsMs
        throw new LockedOut()
      }
      return tokenFor(id)
    },
    answer(usual) {
      if (usual.status === 500) return jsonAnswer(status, { error: 'no' })
      if (usual.status === 401) {
        rejections += 1
        if (rejections === 3) until = performance.now() + lastsMs
      }
      return usual
    },
  }
}

async function judged(backend: Partial<BackendPolicy>, { signsIn = true } = {}) {
  await using reference = await startReference({ variant: { backend }, signsIn })
  const { configuration } = reference
  const limits = { ...configuration.limits, neverSeconds: 3, patienceSeconds: 2, backendAnswerSeconds: 5 }
  await using session = await openSession({ ...configuration, limits })
  const { backend: driver, bob } = partsOf(session, ['backend', 'bob'])
  await driver.token()
  await driver.token(bob)
  for (let time = 0; time < 3; time += 1) await driver.request({ session: `unknown-${time}` })
  return await runCheck(recovers, session)
}

test.concurrent.each(['u-Bob', 'u-Alice'])(
  '%s, locked out for good while another user is served, is a violation',
  async (user) => {
    const { verdict, findings } = await judged(lockingOut({ who: [user] }))
    expect(verdict).toBe('fail')
    expect(findings[0]?.message).toMatch(/rejected for 3 s in new sessions as well \(status 401\)/)
  },
)

test.concurrent.each<[string, LockOptions, { readonly signsIn?: boolean }]>([
  ['whose sessions may have ended', {}, { signsIn: false }],
  ['whose account is blocked, as 403 says', { status: 403 }, {}],
  ['who is locked out as everyone is', { who: ['u-Alice', 'u-Bob'] }, {}],
  ['who is locked out for a second', { lastsMs: 1000 }, {}],
  ['who is locked out until a second without a try', { lastsMs: 1200, prolongs: true }, {}],
])('no backend is accused by a user %s', async (_, lock, options) => {
  const { verdict } = await judged(lockingOut(lock), options)
  expect(verdict).not.toBe('fail')
})
