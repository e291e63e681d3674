import { expect, test } from 'vitest'
import { createJournal } from '../base/evidence/exchange.ts'
import { askOrdinary } from './controls.ts'
import type { CommonContext } from './needs.ts'

const ask = (status: number) => {
  const mint = { minTtlSeconds: 30, request: async () => ({ kind: 'answer', status, exchange: 'x1' }) }
  const parts = { available: (need: string) => (need === 'mint' ? mint : undefined) }
  return askOrdinary('mint', parts as unknown as CommonContext, createJournal())
}

test('a mint that fails by itself serves no control', async () => {
  expect(await ask(500)).toEqual({ met: 'the mint answered 500 to an ordinary request', evidence: ['x1'] })
  expect([await ask(200), await ask(429)]).toEqual([null, null])
})
