import { describe, expect, test } from 'vitest'
import { createAdaptiveSlots } from '../adaptive-slots.ts'
import type { ProofCase } from '../cases.ts'
import { describeGap } from '../table.ts'

export interface ProofLimits {
  /** How many variants there are at least, for the numbers to mean something. */
  readonly least: Readonly<Record<'broken' | 'conforming' | 'degenerate', number>>
}

/** Most of a case is waiting: so many are no more than a quick machine can answer. */
const slots = createAdaptiveSlots({ first: 4, most: 12 })

/** Registers every case as a test of its own: it passes where each of its cells is as it should be. */
export function proveInTests(cases: readonly ProofCase[], { least }: ProofLimits): void {
  // One that takes long keeps none of another kind waiting.
  describe.concurrent.each([...new Set(cases.map(({ kind }) => kind))])('%s', (kind) => {
    for (const { name, prove } of cases.filter((one) => one.kind === kind)) {
      test.concurrent(name, async ({ expect: expected }) => {
        const cells = await slots.run(prove)
        expected(cells.length).toBeGreaterThan(0)
        // As one text, so that the message shows it whole.
        expected(
          cells
            .filter(({ holds }) => !holds)
            .map(describeGap)
            .join('\n'),
        ).toBe('')
      })
    }
  })

  test.each(Object.entries(least))('there are enough %s variants', (kind, number) => {
    expect(cases.filter((one) => one.kind === kind).length).toBeGreaterThanOrEqual(number)
  })
}
