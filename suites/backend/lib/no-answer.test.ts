import { UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { judgeParts } from '../../../src/requirement/testing/judge-parts.ts'
import back19 from '../admits-no-foreign-origin.ts'
import back26 from '../guards-every-spelling-of-its-path.ts'
import back17 from '../ignores-further-fields.ts'
import back24 from '../keeps-key-from-named-hosts.ts'
import back12 from '../prevents-shared-caching.ts'
import back23 from '../rejects-tokens-for-other-uses.ts'

const alice = { token: 'sess_alice', userId: 'u-alice' }
const bob = { token: 'sess_bob', userId: 'u-bob' }

interface Asked {
  readonly session?: typeof alice | string | null
  readonly method?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly path?: (usual: string) => string
  readonly query?: unknown
  readonly body?: unknown
}

type Outcome = 200 | 401 | 'silent'

/** A backend that answers each request as told; each success has called the double. */
function createParts(answer: (asked: Asked) => Outcome) {
  const calls: { readonly userId: string; readonly issued: string }[] = []
  const request = async (asked: Asked) => {
    const outcome = answer(asked)
    const common = { sentAt: 0, receivedAt: 0, exchange: 'x1' }
    if (outcome === 'silent')
      return { kind: 'no-answer', failure: 'timeout', message: 'did not answer', ...common }
    const user = asked.session === bob ? bob : alice
    const token = `token-${calls.length}`
    const call = { target: '/', headers: [], body: '{}', json: { ttlSeconds: 900 } }
    if (outcome === 200) calls.push({ userId: user.userId, issued: token, ...call })
    const json = outcome === 200 ? { token } : { error: 'x' }
    const headers = [['cache-control', 'no-store']]
    return { kind: 'answer', status: outcome, headers, json, ...common }
  }
  const tokenOf = ({ json }: { kind: string; json?: { token?: string | undefined } }) => json?.token ?? null
  const token = async () => ({ jwt: tokenOf(await request({})) })
  const otherOrigin = {
    port: 4321,
    isSecure: false,
    requests: () => [],
    connections: () => 0,
    [Symbol.asyncDispose]: async () => undefined,
  }
  const double = { calls: () => calls, lifetime: () => undefined, openSecondOrigin: async () => otherOrigin }
  return {
    backend: {
      alice,
      method: 'POST',
      request,
      requestServed: request,
      exactSession: async (user: object) => user,
      token,
      tokenOf,
      issuedBy: tokenOf,
      hasServed: () => true,
    },
    bob,
    mintDouble: {
      apiKey: 'ac_live_0123456789abcdef',
      scripted: async (run: (one: typeof double) => Promise<unknown>) => await run(double),
    },
    clock: { monotonic: () => 0, wall: () => 1_000_000, until: async () => undefined },
    random: () => 0.5,
    randomBytes: (size: number) => Buffer.alloc(size, 7),
    configuration: { backend: {} },
    available: () => undefined,
  }
}

const isNaming = ({ headers = [] }: Asked) => headers.some(([name]) => name === 'X-Forwarded-Host')

test.each([
  ['a mint call', 200, 'pass'],
  ['a rejection', 401, 'pass'],
  ['no response', 'silent', 'untested'],
] as const)('BACK-24: a request that names another host meets %s', async (_, outcome, verdict) => {
  const parts = createParts((asked) => (isNaming(asked) ? outcome : 200))
  expect(await judgeParts(back24, parts)).toMatchObject({ verdict })
})

test.each([
  ['BACK-12', back12, () => false, 'pass'],
  ['BACK-12', back12, ({ method }: Asked) => method === 'GET', 'untested'],
  ['BACK-17', back17, () => false, 'pass'],
  ['BACK-17', back17, ({ query, body }: Asked) => query !== undefined || body !== undefined, 'untested'],
  ['BACK-19', back19, () => false, 'pass'],
  // No case is decided.
  ['BACK-19', back19, ({ headers = [] }: Asked) => headers.some(([name]) => name === 'origin'), 'error'],
] as const)('%s: requests without a response (case %#)', async (_, check, isSilent, verdict) => {
  const parts = createParts((asked) => (isSilent(asked) ? 'silent' : asked.session === null ? 401 : 200))
  expect(await judgeParts(check, parts)).toMatchObject({ verdict })
})

const isOdd = ({ path }: Asked) => path?.('/calling/token').endsWith('.css') === true

test.each([
  ['nothing', () => false, 'pass'],
  ['no session', ({ session }: Asked) => session === null, 'untested'],
  ['the second user', ({ session }: Asked) => session === bob, 'untested'],
] as const)('BACK-26: a path that serves users, and is silent to %s', async (_, isSilent, verdict) => {
  const parts = createParts((asked) => {
    if (isOdd(asked) && isSilent(asked)) return 'silent'
    return asked.session === null ? 401 : 200
  })
  expect(await judgeParts(back26, parts)).toMatchObject({ verdict })
})

test.each([
  ['is rejected', 1_060, 401, 'pass'],
  ['is rejected, and has expired', 940, 401, 'untested'],
  ['is taken, and has expired', 940, 200, 'fail'],
  ['meets no response', 1_060, 'silent', 'untested'],
] as const)('BACK-23: an ID token that %s', async (_, exp, outcome, verdict) => {
  const idToken = { token: new UnsecuredJWT({ exp }).encode() }
  const parts = createParts(({ session }) => (session === idToken.token ? outcome : 200))
  const configuration = { backend: { sessions: { idToken } } }
  expect(await judgeParts(back23, { ...parts, configuration })).toMatchObject({ verdict })
})
