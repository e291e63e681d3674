import { expect, test } from 'vitest'
import type { Reply } from '../../../src/base/http/client.ts'
import { areDropped } from './describe-reply.ts'

const answered = (tookMs = 0) => ({ kind: 'answer', status: 401, sentAt: 0, receivedAt: tookMs }) as Reply
const silent = { kind: 'no-answer', failure: 'timeout', sentAt: 0, receivedAt: 2_000 } as Reply
const reset = { kind: 'no-answer', failure: 'reset', sentAt: 0, receivedAt: 5 } as Reply

test.each([
  ['a prompt answer to an ordinary one', [silent], answered(20), true],
  ['a slow answer to an ordinary one', [silent], answered(1_500), false],
  ['no answer to an ordinary one', [silent], silent, false],
  ['resets, and a slow answer to an ordinary one', [reset], answered(1_500), true],
] as const)('requests without a response: %s', (_, replies, ordinary, isDropping) => {
  expect(areDropped(replies, ordinary)).toBe(isDropping)
})
