import { expect, test } from 'vitest'
import type { Outage } from '../../../src/requirement/outlast-outage.ts'
import { outlastOutageOfSignaling } from './outlast-outage.ts'

type Made = Record<string, unknown>

const accepted: Made = { outcome: 'accepted' }
const ended = (type: string, code: number): Made => ({ outcome: 'refused', events: [{ type, code }] })
const full: Made = { ...ended('close', 1013), undecided: true }
const turnedAway: Made = { ...ended('http', 503), undecided: true }
const limited: Made = { ...ended('close', 4429), undecided: true }
const rejected: Made = { ...ended('close', 4401), named: true, undecided: false }

/** Fresh tokens meet these in order, the last of them for good; a damaged one meets the other. */
async function outlast(
  fresh: readonly Made[],
  damaged: Made,
  { status = 426, hasServed = true } = {},
): Promise<Outage<unknown> & { readonly waitedMs: number }> {
  let now = 0
  let asked = 0
  const parts = {
    callingTokens: { fresh: async () => ({ jwt: 'a.b.c', userId: 'u' }) },
    signaling: {
      url: 'wss://127.0.0.1/ws',
      hasServed: () => hasServed,
      join: async () => fresh[Math.min(asked++, fresh.length - 1)],
      tellWait: () => undefined,
    },
    http: { send: async () => ({ kind: 'answer', status, exchange: 'x1' }) },
    clock: {
      monotonic: () => now,
      until: async (at: number) => {
        now = at
      },
    },
    configuration: { limits: {} },
  }
  const outage = await outlastOutageOfSignaling(parts as never, async () => damaged as never)
  return { ...outage, waitedMs: now }
}

test('signaling that rejects a damaged token and has no place for a fresh one for two minutes is down', async () => {
  expect(await outlast([full], rejected)).toMatchObject({ kind: 'down', seconds: 120, waitedMs: 120_000 })
})

test('so is one that turns every client away and answers requests without an upgrade', async () => {
  expect(await outlast([turnedAway], turnedAway)).toMatchObject({ kind: 'down' })
})

test('one that serves again in time is not, nor does it cost the rest of the time', async () => {
  const outage = await outlast([turnedAway, turnedAway, turnedAway, accepted], turnedAway)
  expect(outage).toMatchObject({ kind: 'served', waitedMs: 7_000 })
})

test.each([
  ['a gateway without its service', [turnedAway], turnedAway, { status: 502 }],
  ['a ban', [rejected], rejected, {}],
  ['a ban that begins later', [turnedAway, rejected], turnedAway, {}],
  ['a limit on the rate', [limited], limited, {}],
  ['a service before its first success', [turnedAway], turnedAway, { hasServed: false }],
  ['an address that cannot be reached', [{ ...turnedAway, unreachable: true }], turnedAway, {}],
])('%s is no leak', async (_, fresh, damaged, change) => {
  expect(await outlast(fresh, damaged, change)).toMatchObject({ kind: 'unclear' })
})
