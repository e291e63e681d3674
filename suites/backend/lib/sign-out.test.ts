import { expect, test } from 'vitest'
import { jumpingClock } from '../../../src/base/testing/stepping-clock.ts'
import { watch } from './sign-out.ts'

const jwtUntil = (exp: number) =>
  [{ alg: 'none' }, { exp }].map((one) => Buffer.from(JSON.stringify(one)).toString('base64url')).join('.')

/** Watches a session that was signed out at 0 and is served for so long, by a clock whose waits are late. */
async function watchSignedOut({ servedMs = 0, lateMs = 0, session = 'sess_alice' }) {
  const { clock } = jumpingClock(() => lateMs)
  const backend = {
    async request() {
      const now = clock.monotonic()
      const status = now < servedMs ? 200 : 401
      return { kind: 'answer', status, headers: [], sentAt: now, receivedAt: now, exchange: 'x1' }
    },
    issuedBy: ({ status }: { readonly status: number }) => (status === 200 ? 'a.b.c' : null),
  }
  const parts = { backend, clock, available: () => undefined }
  const { hasToken, missed } = await watch(parts as never, session, 0)
  return { hasToken, missed: missed !== null }
}

test.each([
  ['rejected at once', {}, { hasToken: false, missed: false }],
  ['rejected after 10 s', { servedMs: 9_900 }, { hasToken: false, missed: false }],
  ['served for 11 s', { servedMs: 11_000 }, { hasToken: true, missed: false }],
  [
    'served for 11 s, and tried too late',
    { servedMs: 11_000, lateMs: 20_000 },
    { hasToken: false, missed: true },
  ],
  ['served for 1 s, and tried late', { servedMs: 1_000, lateMs: 5_000 }, { hasToken: false, missed: false }],
  [
    'served until its own end',
    { servedMs: 2_000, session: `${jwtUntil(2)}.` },
    { hasToken: false, missed: true },
  ],
  ['rejected before its own end', { session: `${jwtUntil(60)}.` }, { hasToken: false, missed: false }],
] as const)('a session that was signed out and is %s', async (_, given, outcome) => {
  expect(await watchSignedOut(given)).toEqual(outcome)
})
