import { expect, test } from 'vitest'
import { createJudge } from '../../../src/requirement/judge.ts'
import { judgeKept } from '../mints-for-the-exact-id.ts'

const odd = ['u-Ann', 'u-ann'].map((userId) => ({ token: `sess_${userId}`, userId }))

interface Cache {
  readonly keyOf: (userId: string) => string
  /** So long each request takes. */
  readonly tookMs: number
  readonly isSilent?: boolean
}

/** Judges a backend that keeps tokens until half a minute before their end. */
async function judge({ keyOf, tookMs, isSilent = false }: Cache) {
  let now = 0
  let lifetime = 0
  const kept = new Map<string, { readonly token: string; readonly until: number }>()
  const calls: { readonly userId: string; readonly issued: string }[] = []
  const request = async ({ session }: { readonly session: string }) => {
    const userId = session.replace('sess_', '')
    const sentAt = now
    now += tookMs
    const common = { sentAt, receivedAt: now, exchange: 'x1' }
    if (isSilent) return { kind: 'no-answer', failure: 'timeout', ...common }
    const found = kept.get(keyOf(userId))
    const isKept = found !== undefined && now < found.until
    const token = isKept ? found.token : `t-${calls.length}`
    if (!isKept) {
      calls.push({ userId, issued: token })
      kept.set(keyOf(userId), { token, until: now + (lifetime - 30) * 1000 })
    }
    return { kind: 'answer', status: 200, token, ...common }
  }
  const double = {
    calls: () => calls,
    lifetime(seconds: number | null) {
      lifetime = seconds ?? 0
    },
  }
  const parts = {
    backend: { request, tokenOf: ({ token }: { readonly token?: string }) => token ?? null },
    clock: { monotonic: () => now },
  }
  const judging = createJudge('MUST')
  await judgeKept(parts as never, odd, double as never, judging)
  return judging.conclude().verdict
}

const exact = (userId: string) => userId
const folded = (userId: string) => userId.toLowerCase()

test.each([
  ['by the exact id', { keyOf: exact, tookMs: 20 }, 'pass'],
  ['by the exact id, slowly', { keyOf: exact, tookMs: 4_000 }, 'pass'],
  ['by the id in small letters', { keyOf: folded, tookMs: 20 }, 'fail'],
  ['by the id in small letters, slowly', { keyOf: folded, tookMs: 4_000 }, 'fail'],
  ['by the id in small letters, more slowly than any is kept', { keyOf: folded, tookMs: 40_000 }, 'untested'],
  ['by the exact id, and does not answer', { keyOf: exact, tookMs: 20, isSilent: true }, 'untested'],
] as const)('a backend that keeps tokens %s', async (_, cache: Cache, verdict) => {
  expect(await judge(cache)).toBe(verdict)
})
