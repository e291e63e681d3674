import { expect, test } from 'vitest'
import type { Reply } from '../../../src/base/http/client.ts'
import { createJudge } from '../../../src/requirement/judge.ts'
import { offerLiveJwt } from '../rejects-invalid-sessions.ts'
import { areDropped } from './describe-reply.ts'
import { callingJwtName } from './invalid-sessions.ts'

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

const jwtUntil = (exp: number) =>
  `${[{ alg: 'none' }, { exp }].map((one) => Buffer.from(JSON.stringify(one)).toString('base64url')).join('.')}.`

test.each([
  ['in time', 2_000, 1_000, 0, 'info'],
  ['after its end, and a new one in time', 4_000, 1_000, 1, 'info'],
  ['after its end each time', 4_000, 4_000, 3, 'untested'],
] as const)('a calling JWT that is offered %s', async (_, offeredAt, againMs, fetches, verdict) => {
  let now: number = offeredAt
  let fetched = 0
  const token = async () => {
    fetched += 1
    return { jwt: jwtUntil(now / 1000 + 3), answer: { sentAt: now } }
  }
  const outcome = (sentAt: number) => ({
    reply: { ...answered(), sentAt },
    hasToken: false,
    isUndecided: false,
    evidence: [],
  })
  const judge = createJudge('MUST')
  judge.onlyObserved('nothing else is judged')
  const times: number[] = [offeredAt]
  await offerLiveJwt(
    { backend: { token }, clock: { monotonic: () => now, wall: () => now } } as never,
    judge,
    { name: callingJwtName, request: {}, onlyTokenCounts: false },
    { jwt: jwtUntil(3), answer: { sentAt: 0 } } as never,
    async () => {
      now = times.shift() ?? now + againMs
      return outcome(now)
    },
  )
  expect(fetched).toBe(fetches)
  expect(judge.conclude().verdict).toBe(verdict)
})
