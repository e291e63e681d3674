import { expect, test } from 'vitest'
import { areAlike, explainLifetimes, type Measured } from './explain-lifetimes.ts'

/** Seconds granted for seconds requested; `null` where the request was rejected. */
function measured(granted: Readonly<Record<number, number | null>>, backdated = 0): Measured[] {
  return Object.entries(granted).map(([asked, seconds]) => ({
    asked: Number(asked),
    lifetime: seconds === null ? null : { byClaims: seconds + backdated, byClock: seconds - 0.4 },
    exchange: 'x1',
  }))
}

test.each([
  ['as asked', { 60: 60, 900: 900, 3600: 3600 }, { fit: 'exact', floor: null, ceiling: null }],
  ['a floor', { 60: 300, 137: 300, 900: 900 }, { fit: 'exact', floor: 300, ceiling: null }],
  ['a ceiling', { 60: 60, 900: 300, 3600: 300 }, { fit: 'exact', floor: null, ceiling: 300 }],
  ['both', { 60: 120, 137: 137, 900: 300, 3600: 300 }, { fit: 'exact', floor: 120, ceiling: 300 }],
  ['refusals outside', { 60: null, 900: 900, 1234: 1234, 3600: null }, { fit: 'exact' }],
  ['a ceiling below all of them', { 30: 30, 60: 60, 900: 60, 3600: 60 }, { fit: 'exact', ceiling: 60 }],
  ['half a minute more', { 60: 90, 900: 930, 3600: 3630 }, { fit: 'near' }],
  ['a refusal inside', { 60: 60, 900: null, 3600: 3600 }, { fit: 'none' }],
  ['one lifetime for all', { 60: 900, 900: 900, 3600: 900 }, { fit: 'none' }],
  ['minutes', { 60: 3600, 900: 54_000, 3600: 216_000 }, { fit: 'none' }],
  ['milliseconds', { 60: 0, 900: 0, 3600: 3 }, { fit: 'none' }],
  ['two floors', { 60: 300, 137: 600, 900: 900 }, { fit: 'none' }],
  ['a floor that others are under', { 60: 300, 137: 137, 900: 900 }, { fit: 'none' }],
  ['a ceiling that others are over', { 60: 60, 900: 300, 3600: 3600 }, { fit: 'none' }],
] as const)('explains %s', (_, granted, explanation) => {
  expect(explainLifetimes(measured(granted), 'byClaims')).toMatchObject(explanation)
})

test('a series of lifetimes is read by the clock where iat is dated back', () => {
  const dated = measured({ 60: 60, 900: 900, 3600: 3600 }, 30)
  expect(explainLifetimes(dated, 'byClaims').fit).toBe('near')
  expect(explainLifetimes(dated, 'byClock').fit).toBe('exact')
})

test('a series of lifetimes is alike only if all of it is', () => {
  expect(areAlike(measured({ 60: 900, 3600: 900 }), ['byClaims'])).toBe(true)
  expect(areAlike(measured({ 60: 60, 3600: 900 }), ['byClaims'])).toBe(false)
})
