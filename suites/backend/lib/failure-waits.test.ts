import { expect, test } from 'vitest'
import type { Reply } from '../../../src/base/http/client.ts'
import { createFailureWaits } from './failure-waits.ts'

const limits = { promptMs: 15_000, longestMs: 45_000 }
const answered = (ms: number) => ({ kind: 'answer', sentAt: 0, receivedAt: ms }) as Reply
const silent = { kind: 'no-answer', failure: 'timeout' } as Reply
const reset = { kind: 'no-answer', failure: 'reset' } as Reply

test('the first failure has the longest wait, and the second a prompt one', () => {
  const waits = createFailureWaits(limits)
  waits.note(answered(2_000))
  waits.note(reset)
  expect(waits.deadlineMs()).toBe(45_000)
  waits.note(silent)
  expect(waits.deadlineMs()).toBe(15_000)
})

test('further ones are waited for by the slowest answer, so that a slow backend has more time', () => {
  const waits = createFailureWaits(limits)
  waits.note(answered(40))
  for (const reply of [silent, silent]) waits.note(reply)
  expect(waits.deadlineMs()).toBe(1_000)
  waits.note(answered(3_000))
  expect(waits.deadlineMs()).toBe(12_000)
  waits.note(answered(5_000))
  expect(waits.deadlineMs()).toBe(15_000)
})
