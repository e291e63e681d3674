import { UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { jumpingClock } from '../../../src/base/testing/stepping-clock.ts'
import { judgeParts } from '../../../src/requirement/testing/judge-parts.ts'
import flow04 from '../keeps-secrets-on-permitted-hops.ts'
import flow07 from '../logs-no-secrets.ts'
import flow03 from '../reconnects-after-expiry.ts'
import flow06 from '../rejects-when-minting-fails.ts'
import flow05 from '../separates-concurrent-users.ts'

const [alice, bob] = ['u-alice', 'u-bob'].map((userId) => ({ token: userId, userId }))

test.each([
  ['an error', 'answered', 'pass'],
  ['no response', 'timeout', 'untested'],
] as const)('FLOW-06: %s of the backend when minting fails', async (_, failure, verdict) => {
  const calls: object[] = []
  const double = { calls: () => calls, lifetime: () => undefined, answer: () => undefined }
  const request = async () => {
    calls.push({ userId: alice?.userId, issued: null })
    const common = { sentAt: 0, receivedAt: 0, exchange: 'x1', message: 'did not answer' }
    return failure === 'timeout'
      ? { kind: 'no-answer', failure, ...common }
      : { kind: 'answer', status: 502, headers: [], ...common }
  }
  const parts = {
    backend: { alice, request, token: async () => ({}), tokenOf: () => null, issuedBy: () => null },
    mintDouble: { scripted: async (use: (one: typeof double) => Promise<unknown>) => await use(double) },
    clock: { monotonic: () => 0, wall: () => 0, until: async () => undefined },
  }
  expect(await judgeParts(flow06, parts)).toMatchObject({ verdict })
})

test.each([
  ['overlap', 10, 'pass'],
  ['follow each other', 1, 'untested'],
] as const)('FLOW-05: requests of two users that %s', async (_, tookMs, verdict) => {
  let sent = 0
  const token = async ({ userId }: { readonly userId: string }) => {
    sent += 2
    const answer = { sentAt: sent, receivedAt: sent + tookMs }
    return { jwt: `t-${sent}`, userId, answer, exchange: 'x1' }
  }
  const parts = {
    backend: { alice, token },
    bob,
    signaling: { join: async () => ({ outcome: 'accepted', exchange: 'x2' }) },
    available: () => undefined,
    clock: { monotonic: () => 0, wall: () => 0 },
    random: () => 0.5,
  }
  expect(await judgeParts(flow05, parts)).toMatchObject({ verdict })
})

/** A backend that is silent to one of the sessions. */
function createBackend(silentTo: string | null) {
  return {
    alice,
    exactSession: async (user: object) => user,
    token: async () => ({ jwt: 'jwt-of-alice', userId: alice?.userId, exchange: 'x1' }),
    tokenOf: ({ json }: { readonly json?: { readonly token: string } }) => json?.token ?? null,
    async request({ session = 'other' }: { readonly session?: string } = {}) {
      const common = { sentAt: 0, receivedAt: 0, exchange: 'x1', message: 'did not answer' }
      if (session === silentTo) return { kind: 'no-answer', failure: 'timeout', ...common }
      const json = { token: `jwt-of-${session}` }
      const answer = { kind: 'answer', status: 200, statusText: 'OK', headers: [], trailers: [], sent: '' }
      return { ...answer, ...common, json, body: JSON.stringify(json) }
    },
  }
}

test.each([
  ['answers everyone', null, 'pass'],
  ['is silent to a session', 'u-bob', 'untested'],
] as const)('FLOW-04: a backend that %s', async (_, silentTo, verdict) => {
  const parts = {
    backend: createBackend(silentTo),
    bob,
    configuration: { backend: {} },
    available: () => undefined,
  }
  expect(await judgeParts(flow04, parts)).toMatchObject({ verdict })
})

test.each([
  ['answers everyone', null, 'pass'],
  ['is silent to a session', 'u-alice', 'untested'],
] as const)('FLOW-07: a backend that %s', async (_, silentTo, verdict) => {
  let reads = 0
  const backend = createBackend(silentTo)
  const parts = {
    logs: {
      async read() {
        reads += 1
        return [{ name: 'backend', text: reads === 1 ? '' : 'GET /calling/token?trace=u-marker' }]
      },
    },
    unknownUser: () => 'u-marker',
    available: (need: string) => (need === 'backend' ? backend : undefined),
    configuration: { absent: [] },
    clock: { monotonic: () => 0, until: async () => undefined },
  }
  expect(await judgeParts(flow07, parts)).toMatchObject({ verdict })
})

test.each([
  ['what a command prints', 'command', [], 'info'],
  ['a log of the file', 'app.log', ['/var/log/app.log'], 'untested'],
] as const)('FLOW-07: %s that shows no request', async (_, name, logs, verdict) => {
  const parts = {
    logs: { read: async () => [{ name, text: 'listening' }] },
    unknownUser: () => 'u-marker',
    available: (need: string) => (need === 'backend' ? createBackend(null) : undefined),
    configuration: { absent: [], logs },
    clock: { monotonic: () => Number.POSITIVE_INFINITY, until: async () => undefined },
  }
  expect(await judgeParts(flow07, parts)).toMatchObject({ verdict })
})

const accepted = { outcome: 'accepted', exchange: 'x1', decidedAt: 0, events: [] }
const rejected = { ...accepted, outcome: 'refused', summary: 'closed the connection' }
const silent = { ...rejected, undecided: true, events: [{ type: 'timeout' }] }

test.each([
  ['is rejected', [rejected], 'pass'],
  ['is accepted', [accepted], 'fail'],
  ['meets silence once, and is accepted then', [silent, accepted], 'fail'],
  ['meets silence once, and is rejected then', [silent, rejected], 'pass'],
  ['meets silence each time', [silent], 'pass'],
] as const)('FLOW-03: an expired token that %s', async (_, offered, verdict) => {
  const jwtOf = (id: number) => new UnsecuredJWT({ iat: 0, exp: 3, jti: `${id}` }).encode()
  const { clock } = jumpingClock()
  let fetched = 0
  let offers = 0
  const offer = () => offered[Math.min(offers++, offered.length - 1)]
  const isExpired = (jwt: string) => jwt === jwtOf(1) && clock.monotonic() >= 3_000
  const parts = {
    backend: {
      alice,
      async token() {
        fetched += 1
        const now = clock.monotonic()
        return {
          jwt: jwtOf(fetched),
          userId: alice?.userId,
          answer: { sentAt: now, receivedAt: now, headers: [], json: {} },
          exchange: 'x1',
        }
      },
    },
    signaling: {
      clock,
      isGenuine: () => false,
      join: async ({ jwt }: { readonly jwt: string }) => (isExpired(jwt) ? offer() : accepted),
      attempt: async ({ token }: { readonly token: string }) => (isExpired(token) ? offer() : accepted),
      outlastBan: async () => null,
    },
    expiry: {
      lifetimes: [3],
      trials: [2, 5],
      endOf: () => ({ mayExpireAt: 2_000, expiredAt: 3_000 }),
      until: clock.until,
    },
    clock,
    handBack: () => undefined,
    inTurn: (look: () => Promise<unknown>) => look(),
    available: () => undefined,
  }
  expect(await judgeParts(flow03, parts)).toMatchObject({ verdict })
})
