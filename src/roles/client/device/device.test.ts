import { expect, test } from 'vitest'
import { createChangeSignal } from '../change-signal.ts'
import { askUntil } from './device.ts'

const deadlineMs = 600_000

test('a person who answers ends the wait for what would have been seen', async () => {
  let waiting: Promise<unknown> | undefined
  const operator = {
    tell: () => undefined,
    ask: async (_instruction: string, seen?: Promise<unknown>) => {
      waiting = seen
    },
  }
  await askUntil(operator, 'Connect now.', { changeSignal: createChangeSignal() }, () => false, deadlineMs)
  // Left alone, it would keep the command running until its deadline.
  expect(await waiting).toBe(true)
})

test('an observation answers for the person', async () => {
  const changeSignal = createChangeSignal()
  let hasCalled = false
  const operator = {
    tell: () => undefined,
    ask: async (_instruction: string, seen?: Promise<unknown>) => {
      hasCalled = true
      changeSignal.notify()
      expect(await seen).toBe(true)
    },
  }
  await askUntil(operator, 'Connect now.', { changeSignal }, () => hasCalled, deadlineMs)
})
