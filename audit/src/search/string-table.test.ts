import { expect, test } from 'vitest'
import { createLookup } from './string-table.ts'

const extent = (start: number, end: number, view: 'utf-8' | 'utf-16le' | 'utf-16be' = 'utf-8') => ({
  start,
  end,
  view,
  role: 'value' as const,
})
const regions = [{ start: 0, end: 100 }]

test('a stretch that strings cover and none contains is no string of the file', () => {
  const find = createLookup({ extents: [extent(0, 10), extent(10, 20), extent(14, 30)], regions })
  expect(find(6, 24, 'utf-8')).toMatchObject({ extents: [], isTorn: true })
  expect(find(11, 19, 'utf-8')).toMatchObject({ extents: [extent(10, 20)] })
})

test('one with a byte that belongs to no string is not', () => {
  const find = createLookup({ extents: [extent(0, 10), extent(11, 20)], regions })
  expect(find(6, 18, 'utf-8')).toMatchObject({ isTorn: false })
  expect(find(15, 24, 'utf-8')).toMatchObject({ isTorn: false })
  expect(find(40, 48, 'utf-8')).toMatchObject({ isTorn: false })
})

test('a string in one byte order is not read in the other', () => {
  const find = createLookup({ extents: [extent(0, 40, 'utf-16be')], regions: [] })
  expect(find(3, 19, 'utf-16le')).toMatchObject({ isMisread: true })
  expect(find(3, 19, 'utf-8')).toMatchObject({ isMisread: false })
})
