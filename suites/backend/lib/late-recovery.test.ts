import { expect, test } from 'vitest'
import { judgeParts } from '../../../src/requirement/testing/judge-parts.ts'
import back22, { failInARow } from '../recovers-from-stalled-mint.ts'

const alice = { token: 'sess_alice', userId: 'u-alice' }
const bob = { token: 'sess_bob', userId: 'u-bob' }

interface Timing {
  /** Each request takes so long. */
  readonly tookMs?: number
  /** The backend calls the mint for so many requests. */
  readonly mostCalls?: number
  /** Alice's requests end without a response or a mint call. */
  readonly isSilentToAlice?: boolean
  /** From then on the backend gives tokens again. */
  readonly recoveredAt?: number
}

function createParts({ tookMs = 0, mostCalls = 1_000, isSilentToAlice = false, recoveredAt = 0 }: Timing) {
  let now = 0
  let isFailing = false
  let hasStalled = false
  let calls: { readonly userId: string; readonly issued: string | null }[] = []
  const clock = {
    monotonic: () => now,
    until: async (at: number) => {
      now = Math.max(now, at)
    },
  }
  const double = {
    calls: () => calls,
    lifetime: () => undefined,
    answer(script: unknown) {
      isFailing = script !== null
    },
  }
  const request = async ({ session }: { readonly session: typeof alice }) => {
    const sentAt = now
    now += tookMs
    const common = { sentAt, receivedAt: now, exchange: 'x1' }
    if (isSilentToAlice && session === alice)
      return { kind: 'no-answer', failure: 'timeout', message: 'did not answer', ...common }
    const isServed = !isFailing && now >= recoveredAt
    const issued = isServed ? 'a.b.c' : null
    if (isServed || (isFailing && calls.length < mostCalls)) calls.push({ userId: session.userId, issued })
    return { kind: 'answer', status: isServed ? 200 : 502, ...common }
  }
  const parts = {
    backend: {
      alice,
      request,
      tokenOf: ({ status }: { readonly status?: number }) => (status === 200 ? 'a.b.c' : null),
    },
    mintDouble: {
      scripted: async (run: (one: typeof double) => Promise<unknown>) => {
        // The silence before is not played.
        if (!hasStalled) {
          hasStalled = true
          return { outage: null, stalled: 5 }
        }
        calls = []
        isFailing = false
        return await run(double)
      },
    },
    clock,
    configuration: { limits: { backendAnswerSeconds: 2 } },
    available: () => undefined,
  }
  return { parts, double }
}

test.each([
  ['fast', {}, null],
  ['that opens a breaker after five failures', { mostCalls: 5 }, null],
  ['with three seconds for each failure', { tookMs: 3_000 }, null],
  ['with seven seconds for each failure', { tookMs: 7_000 }, 'only 9 mint calls'],
  ['that does not answer the second user', { isSilentToAlice: true }, "another user's request"],
] as const)('failures in a row at a backend %s', async (_, timing, missed) => {
  const { parts, double } = createParts(timing)
  const reason = await failInARow(parts as never, double as never, bob)
  if (missed === null) expect(reason).toBeNull()
  else expect(reason).toContain(missed)
})

test.each([
  ['at once', {}, 'pass'],
  ['after 1 s', { recoveredAt: 1_000 }, 'pass'],
] as const)('a backend that serves again %s', async (_, timing, verdict) => {
  const { parts } = createParts(timing)
  expect(await judgeParts(back22, parts)).toMatchObject({ verdict })
})
