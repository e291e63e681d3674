import { expect, test } from 'vitest'
import { createMintBudget } from './budget.ts'

const issued = () => true

test('holds back what would go beyond the limit, many at once included', async () => {
  const budget = createMintBudget(3)
  let sent = 0
  const mint = () => budget.spend(async () => ++sent, issued)
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, mint))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(sent).toBe(3)
})

test('does not count what was refused', async () => {
  const budget = createMintBudget(1)
  await budget.spend(
    async () => 401,
    (status) => status === 200,
  )
  await expect(budget.spend(() => Promise.reject(new Error('lost')), issued)).rejects.toThrow('lost')
  expect(await budget.spend(async () => 200, issued)).toBe(200)
  await expect(budget.spend(async () => 200, issued)).rejects.toThrow(
    'the limit of 1 calling tokens (--max-mints)',
  )
})

test('tells whose wish it denied, though the error was swallowed', async () => {
  const budget = createMintBudget(0)
  const denied = await budget.watch(async () => {
    await Promise.allSettled([budget.spend(async () => 1, issued)])
  })
  expect(denied).toBe(true)
  expect(await budget.watch(async () => {})).toBe(false)
})

test('without a limit denies nothing', async () => {
  const budget = createMintBudget(null)
  budget.count()
  expect(await budget.spend(async () => 1, issued)).toBe(1)
})
