import { afterAll, describe, expect, test } from 'vitest'
import { loadCases } from './cases.ts'
import { browsers } from './prove.ts'
import { gapLine } from './table.ts'

// `npm run proof -- CLI` has every conforming client judged by every requirement.
const cases = await loadCases(({ role }) => role === 'client', { isSlice: true })
/** A case waits for its turn, too: few pages are open at once. */
const timeout = 300_000

afterAll(() => browsers[Symbol.asyncDispose]())

describe.each(['reference', 'conforming', 'degenerate', 'broken'] as const)('%s', (kind) => {
  const ofKind = cases.filter((one) => one.kind === kind)
  for (const { name, prove } of ofKind) {
    test.concurrent(name, { timeout }, async ({ expect }) => {
      const cells = await prove()
      expect(cells.length).toBeGreaterThan(0)
      expect(cells.filter(({ holds }) => !holds).map(gapLine)).toEqual([])
    })
  }
})

test('there are enough variants for the numbers to mean something', () => {
  const count = (kind: string) => cases.filter((one) => one.kind === kind).length
  expect(count('broken')).toBeGreaterThanOrEqual(30)
  expect(count('conforming')).toBeGreaterThanOrEqual(6)
})
