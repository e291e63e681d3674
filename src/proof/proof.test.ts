import { describe, expect, test } from 'vitest'
import { loadCases } from './cases.ts'
import { gapLine } from './table.ts'

// The client is proved in a file of its own, after this one: a browser would take the time of the others' deadlines.
const cases = await loadCases(({ role }) => role !== 'client')
/** The longest case waits for a floor of 60 s and the leeway beyond it. */
const timeout = 120_000

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
  expect(count('broken')).toBeGreaterThanOrEqual(120)
  expect(count('conforming')).toBeGreaterThanOrEqual(40)
  expect(count('degenerate')).toBeGreaterThanOrEqual(4)
})
