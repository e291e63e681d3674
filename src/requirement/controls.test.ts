import { expect, test } from 'vitest'
import { createJournal, type HttpExchange } from '../base/evidence/exchange.ts'
import { askOrdinary } from './controls.ts'
import type { CommonContext } from './needs.ts'
import { recordHttp } from './testing/record-http.ts'

const journal = createJournal()

const ask = (unavailable: HttpExchange['unavailable']) => {
  const mint = {
    minTtlSeconds: 30,
    request: async () => ({ exchange: recordHttp(journal, { to: 'mint', unavailable }) }),
  }
  const parts = { available: (need: string) => (need === 'mint' ? mint : undefined) }
  return askOrdinary('mint', parts as unknown as CommonContext, journal)
}

test('a part that fails by itself at an ordinary request serves nothing; one that a pace slows does', async () => {
  expect(await ask('failing')).toMatchObject({ met: 'the mint failed at an ordinary request' })
  expect([await ask(undefined), await ask('limited')]).toEqual([null, null])
})
