import { expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createBudget } from './budget.ts'

const bounds = { attempts: 3, mints: 9, seconds: 120, watchedSeconds: 60 }

test('a slow machine ends no search that gets answers; silence does, by the time that it was watched', () => {
  let now = 0
  const budget = createBudget(bounds, { ...systemClock, monotonic: () => now })
  now = 100_000
  budget.attempt()
  budget.watched(60_000)
  budget.attempt()
  budget.watched(1)
  expect(() => budget.attempt()).toThrow('no result within 60 s of watching')
})

test('a service that answers for ever ends it by the number of attempts', () => {
  const budget = createBudget(bounds, systemClock)
  for (let attempt = 0; attempt < bounds.attempts; attempt += 1) budget.attempt()
  expect(() => budget.attempt()).toThrow('no result within 3 attempts')
})
