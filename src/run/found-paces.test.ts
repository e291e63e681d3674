import { expect, test } from 'vitest'
import { frozenRun } from '../reports/testing/frozen-run.ts'
import { addPaces, listPaces } from './found-paces.ts'

test('a pace that was found is printed, and is among the observations', () => {
  const paces = { mint: { perSecond: 1.66, atOnce: 1 } }
  expect(listPaces(paces)).toEqual(['the mint limits its rate: the run settled at 1.6 a second, 1 at once'])
  expect(addPaces(frozenRun, paces).observations).toMatchObject({
    'mint.pace': { perSecond: 1.6, atOnce: 1 },
  })
  expect(addPaces(frozenRun, {})).toBe(frozenRun)
})
