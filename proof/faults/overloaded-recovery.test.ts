import { expect, test } from 'vitest'
import { jsonAnswer } from '../../fixtures/answer.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { findCheck, loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { whyOf } from '../variants/table.ts'
import { judge } from '../variants/testing/prove.ts'

// After an expired or a rejected token a client mints again and reconnects. A service that is overloaded at that moment has
// not banned the user.

async function judged(id: string, variant: Variant) {
  const result = await judge(findCheck(id, await loadCatalogue()), variant)
  return { verdict: result.verdict, said: whyOf(result) }
}

/** A mint that is overloaded whenever a user comes back, for good. */
function overloadedForReturning(): Variant {
  const served = new Set<string>()
  return {
    mint: {
      answer(usual, { body }) {
        const [, userId] = /"userId":"([^"]+)"/.exec(body ?? '') ?? []
        if (userId === undefined || usual.status >= 300) return usual
        if (served.has(userId)) return jsonAnswer(503, { error: 'overloaded' }, { 'retry-after': '1' })
        served.add(userId)
        return usual
      },
    },
  }
}

test.concurrent.each(['FLOW-03', 'SIG-07'])('%s: a re-mint that meets 503 is no ban', async (id) => {
  const { verdict, said } = await judged(id, overloadedForReturning())
  expect({ verdict, said }).toEqual({ verdict: 'error', said: expect.stringMatching(/50[23]/) })
})

test.concurrent('signaling that stays at a rate limit says which pace to set', async () => {
  const { verdict, said } = await judged('SIG-02', {
    signaling: { handshake: () => 429 },
    configuration: { limits: { patienceSeconds: 1 } },
  })
  expect(verdict, said).toBe('error')
  expect(said).toMatch(/429.*limits\.pace\.signaling/)
})

test.concurrent('a fresh token that met a stall at first is accepted without a warning', async () => {
  let upgrades = 0
  const { verdict, said } = await judged('SIG-02', {
    signaling: {
      handshake() {
        upgrades += 1
        return upgrades === 2 ? 'ignore' : 'upgrade'
      },
    },
  })
  expect(verdict, said).toBe('pass')
})

test.concurrent('a user who is banned for good is still found', async () => {
  const banKey = (credential: string) => String(readToken(credential)?.claims?.['sub'])
  const { verdict } = await judged('FLOW-03', { signaling: { banKey } })
  expect(verdict).toBe('fail')
})

/** A backend that refuses everyone for a moment, as after many rejected sessions; it begins with this request. */
function blockingFrom(request: number): Variant {
  let asked = 0
  let until = 0
  return {
    backend: {
      answer(usual) {
        asked += 1
        if (asked === request) until = Date.now() + 1_500
        return Date.now() < until ? jsonAnswer(403, { error: 'blocked' }) : usual
      },
    },
  }
}

test.concurrent.each([
  ['BACK-01', 2],
  ['BACK-12', 2],
  ['BACK-10', 5],
])('%s: a backend that refuses everyone for a moment has refused no user', async (id, request) => {
  const { verdict, said } = await judged(id, blockingFrom(request))
  expect(verdict, said).toBe('pass')
})
