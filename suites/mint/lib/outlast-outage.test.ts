import { expect, test } from 'vitest'
import type { Outage } from '../../../src/requirement/outlast-outage.ts'
import { outlastOutageOfMint } from './outlast-outage.ts'

type Made = Record<string, unknown>

const answer = (status: number): Made => ({ kind: 'answer', status, exchange: 'x1' })
const silence: Made = { kind: 'no-answer', failure: 'timeout', exchange: 'x1' }
const reset: Made = { kind: 'no-answer', failure: 'reset', exchange: 'x1' }

/** Ordinary requests meet these in order, the last of them for good; one with an unknown key meets the other. */
async function outlast(
  ordinary: readonly Made[],
  unknown: Made,
  { read = answer(405), hasServed = true } = {},
): Promise<Outage<unknown> & { readonly waitedMs: number }> {
  let now = 0
  let asked = 0
  const parts = {
    mint: {
      endpoint: 'https://mint.example/token',
      hasServed: () => hasServed,
      request: async () => ordinary[Math.min(asked++, ordinary.length - 1)],
      issuedBy: (reply: Made) => (reply['status'] === 200 ? 'a.b.c' : null),
      tellWait: () => undefined,
    },
    newUser: () => 'u',
    http: { send: async () => read },
    clock: {
      monotonic: () => now,
      until: async (at: number) => {
        now = at
      },
    },
    configuration: { limits: {} },
  }
  const outage = await outlastOutageOfMint(parts as never, async () => unknown as never)
  return { ...outage, waitedMs: now }
}

test.each([
  ['fails', [answer(500)]],
  ['is overloaded', [answer(503)]],
  ['is silent', [silence]],
])('a mint that %s for valid keys alone for two minutes is down', async (_, ordinary) => {
  const outage = await outlast(ordinary, answer(401))
  expect(outage).toMatchObject({ kind: 'down', seconds: 120, waitedMs: 120_000 })
})

test('so is one that fails for every key and answers GET', async () => {
  expect(await outlast([answer(503)], answer(503))).toMatchObject({ kind: 'down' })
})

test('one that serves again in time is not, nor does it cost the rest of the time', async () => {
  const outage = await outlast([answer(503), answer(503), answer(503), answer(200)], answer(401))
  expect(outage).toMatchObject({ kind: 'served', waitedMs: 7_000 })
})

test.each([
  ['a gateway without its service', [answer(502)], answer(502), { read: answer(502) }],
  ['silence for everyone', [silence], silence, { read: silence }],
  ['a ban', [answer(403)], answer(403), {}],
  ['a ban that begins later', [answer(503), answer(403)], answer(401), {}],
  ['a limit on the rate', [answer(429)], answer(429), {}],
  ['a connection that breaks off', [reset], answer(401), {}],
  ['a mint before its first token', [answer(503)], answer(401), { hasServed: false }],
])('%s is no leak', async (_, ordinary, unknown, change) => {
  expect(await outlast(ordinary, unknown, change)).toMatchObject({ kind: 'unclear' })
})
