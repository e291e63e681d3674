import { expect, test } from 'vitest'
import { failInARow } from '../recovers-from-stalled-mint.ts'

const alice = { token: 'sess_alice', userId: 'u-alice' }
const bob = { token: 'sess_bob', userId: 'u-bob' }

test.each([
  ['fast', 0, 1_000, false, null],
  ['that opens a breaker after five failures', 0, 5, false, null],
  ['with three seconds for each failure', 3_000, 1_000, false, null],
  ['with seven seconds for each failure', 7_000, 1_000, false, /only 9 mint calls/],
  ['that does not answer the second user', 0, 1_000, true, /another user's request/],
])('failures in a row at a backend %s', async (_, tookMs, mostCalls, isSilentToAlice, missed) => {
  let now = 0
  const calls: string[] = []
  const request = async ({ session }: { readonly session: typeof alice }) => {
    now += tookMs
    if (isSilentToAlice && session === alice) return { kind: 'no-answer', failure: 'timeout' }
    if (calls.length < mostCalls) calls.push(session.userId)
    return { kind: 'answer', status: 502 }
  }
  const double = { calls: () => calls, lifetime: () => undefined, answer: () => undefined }
  const parts = { backend: { alice, request }, clock: { monotonic: () => now } }
  const reason = await failInARow(parts as never, double as never, bob)
  if (missed === null) expect(reason).toBeNull()
  else expect(reason).toMatch(missed)
})
