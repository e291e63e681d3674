import { expect, test } from 'vitest'
import type { Reply } from '../../../src/base/http/client.ts'
import { createJudge } from '../../../src/requirement/judge.ts'
import { judgeTime } from './judge-time.ts'

test.each([
  ['prompt', 'answer', 1_900, 0, 'pass'],
  ['late', 'answer', 2_500, 0, 'warn'],
  ['late by more than this machine stood still', 'answer', 2_500, 400, 'warn'],
  ['late by less than this machine stood still', 'answer', 2_500, 600, 'untested'],
  ['none within the time of a prompt one', 'no-answer', 2_000, 0, 'warn'],
  ['none within limits.neverSeconds', 'no-answer', 6_000, 0, 'fail'],
] as const)('a response that is %s', (_, kind, receivedAt, lostMs, verdict) => {
  const judge = createJudge('MUST')
  const reply = { kind, failure: 'timeout', status: 502, sentAt: 0, receivedAt } as unknown as Reply
  judgeTime(judge, { name: 'hangs', reply, evidence: ['x1'], promptMs: 2_000, neverSeconds: 6, lostMs })
  expect(judge.conclude().verdict).toBe(verdict)
})
