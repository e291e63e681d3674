import { UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../../src/base/http/limits.ts'
import { jumpingClock } from '../../../src/base/testing/stepping-clock.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import { judgeParts } from '../../../src/requirement/testing/judge-parts.ts'
import { createExpiry } from '../../../src/roles/mint/expiry.ts'
import back10, { askTwice } from '../never-returns-expired-tokens.ts'

const alice = { token: 'sess_alice', userId: 'u-alice' }

interface Cache {
  /** Milliseconds since 1970 until which a token of this end is kept. */
  readonly keptUntil: (expiresAt: number) => number
  /** Each request takes so long. */
  readonly tookMs?: number
  /** Waits for an instant are so late, one after the other; later ones as late as the last. */
  readonly lateMs?: readonly number[]
}

/** A backend that keeps tokens, its mint double and a clock of their own. */
function createParts({ keptUntil, tookMs = 0, lateMs = [0] }: Cache) {
  const { clock, pass } = jumpingClock((wait) => lateMs[Math.min(wait, lateMs.length - 1)] ?? 0)
  let lifetime = 3
  let issuedCount = 0
  let isFailing = false
  let calls: { readonly issued: string | null }[] = []
  let kept: string | null = null
  const endOf = (jwt: string) => Number(readToken(jwt)?.claims?.['exp']) * 1000
  const mint = () => {
    const iat = Math.floor(clock.wall() / 1000)
    issuedCount += 1
    const jwt = new UnsecuredJWT({ iat, exp: iat + lifetime, jti: `${issuedCount}` }).encode()
    calls.push({ issued: isFailing ? null : jwt })
    return isFailing ? null : jwt
  }
  const request = async () => {
    const sentAt = clock.monotonic()
    if (kept === null || sentAt >= keptUntil(endOf(kept))) kept = mint()
    pass(tookMs)
    const json = kept === null ? { error: 'x' } : { token: kept }
    const status = kept === null ? 502 : 200
    return { kind: 'answer', status, json, sentAt, receivedAt: clock.monotonic(), exchange: 'x1' }
  }
  const tokenOf = ({ json }: { readonly json: { readonly token?: string } }) => json.token ?? null
  const token = async () => {
    const answer = await request()
    return { jwt: answer.json.token ?? '', userId: alice.userId, answer, exchange: 'x1' }
  }
  const double = {
    calls: () => calls,
    lifetime(seconds: number) {
      lifetime = seconds
    },
    answer(script: unknown) {
      isFailing = script !== null
    },
  }
  const expiry = createExpiry({ mint: null, clock, limits: defaultLimits, wait: true })
  const parts = {
    backend: { alice, request, token, tokenOf },
    mintDouble: {
      scripted: async (run: (one: typeof double) => Promise<unknown>) => {
        calls = []
        return await run(double)
      },
    },
    expiry,
    clock,
    configuration: { limits: defaultLimits },
    available: () => undefined,
  }
  return { parts, double }
}

const never = () => 0
const untilItsEnd = (end: number) => end
const tooLong = (end: number) => end + 4_000

test.each([
  ['mints each time, and is prompt', { keptUntil: never }, { mints: 2, seconds: 3, isMissed: false }],
  ['keeps tokens, and is prompt', { keptUntil: untilItsEnd }, { mints: 1, seconds: 3, isMissed: false }],
  [
    'keeps tokens, and takes longer than the first one lives',
    { keptUntil: untilItsEnd, tookMs: 3_500 },
    { mints: 1, seconds: 6, isMissed: false },
  ],
  [
    'keeps tokens, and takes longer than the longest one lives',
    { keptUntil: untilItsEnd, tookMs: 13_000 },
    { mints: 2, seconds: 12, isMissed: true },
  ],
] as const)('two requests to a backend that %s', async (_, cache: Cache, asked) => {
  const { parts, double } = createParts(cache)
  expect(await askTwice(parts as never, double as never)).toMatchObject(asked)
})

test.each([
  ['mints each time', never, [0], 'pass'],
  ['mints each time', never, [0, 6_000, 0], 'untested'],
  ['keeps tokens four seconds too long', tooLong, [0], 'fail'],
  ['keeps tokens four seconds too long', tooLong, [0, 6_000, 0], 'fail'],
  ['keeps tokens four seconds too long', tooLong, [0, 6_000], 'untested'],
] as const)('a backend that %s, with late waits (case %#)', async (_, keptUntil, lateMs, verdict) => {
  const { parts } = createParts({ keptUntil, lateMs })
  expect(await judgeParts(back10, parts)).toMatchObject({ verdict })
})
