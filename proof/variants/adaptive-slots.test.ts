import { expect, test } from 'vitest'
import { adaptSlots, createAdaptiveSlots } from './adaptive-slots.ts'

test('a process that answers late gets fewer cases, and at least one', () => {
  expect([
    adaptSlots(3, 1500, 9),
    adaptSlots(1, 1500, 9),
    adaptSlots(3, 20, 9),
    adaptSlots(9, 20, 9),
  ]).toEqual([2, 1, 4, 9])
})

test('every task is run once, never more than the most at once, and a failure frees its slot', async () => {
  const slots = createAdaptiveSlots({ first: 1, most: 3 })
  let running = 0
  let most = 0
  const ended = await Promise.allSettled(
    Array.from({ length: 20 }, (_, place) =>
      slots.run(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        if (place === 0) throw new Error('the first')
        return place
      }),
    ),
  )
  expect(ended.map(({ status }) => status)).toEqual(['rejected', ...Array(19).fill('fulfilled')])
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(3)
})
