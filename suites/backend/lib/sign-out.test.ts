import { UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { jumpingClock } from '../../../src/base/testing/stepping-clock.ts'
import { watch } from './sign-out.ts'

const jwtUntil = (exp: number) => new UnsecuredJWT({ exp }).encode()

// A session that was signed out at 0 is served for so long; waits are so late.
test.each([
  ['rejected at once', 'sess_alice', 0, 0, false, false],
  ['rejected after 10 s', 'sess_alice', 9_900, 0, false, false],
  ['served for 11 s', 'sess_alice', 11_000, 0, true, false],
  ['served for 11 s, and tried too late', 'sess_alice', 11_000, 20_000, false, true],
  ['served for 1 s, and tried late', 'sess_alice', 1_000, 5_000, false, false],
  ['served until its own end', jwtUntil(2), 2_000, 0, false, true],
  ['rejected before its own end', jwtUntil(60), 0, 0, false, false],
])('a session that was signed out and is %s', async (_, session, servedMs, lateMs, hasToken, isMissed) => {
  const { clock } = jumpingClock(() => lateMs)
  const backend = {
    async request() {
      const now = clock.monotonic()
      const status = now < servedMs ? 200 : 401
      return { kind: 'answer', status, headers: [], sentAt: now, receivedAt: now, exchange: 'x1' }
    },
    issuedBy: ({ status }: { readonly status: number }) => (status === 200 ? 'a.b.c' : null),
  }
  const watched = await watch({ backend, clock, available: () => undefined } as never, session, 0)
  expect([watched.hasToken, watched.missed !== null]).toEqual([hasToken, isMissed])
})
