import { afterAll, describe, expect, test } from 'vitest'
import { loadCases } from './cases.ts'
import { browsers } from './prove.ts'
import { gapLine } from './table.ts'

const cases = await loadCases()
/** The longest case waits for a floor of 60 s and the leeway beyond it; those of the client for their turn, too. */
const timeout = 900_000

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
  expect(count('broken')).toBeGreaterThanOrEqual(120)
  expect(count('conforming')).toBeGreaterThanOrEqual(40)
  expect(count('degenerate')).toBeGreaterThanOrEqual(4)
})
