import { expect, test } from 'vitest'
import { createJudge } from '../../../src/requirement/judge.ts'
import { createReplyJudge } from './judge-failure-replies.ts'

const failure = { name: 'answered 503' }

/** Judges one error of the backend, with a limit of 2 s. */
async function judge({ tookMs = 0, lostMs = 0, json = { error: 'x' } as object }) {
  const judge = createJudge('MUST')
  const parts = {
    backend: { tokenOf: () => null, issuedBy: () => null },
    configuration: { limits: { backendAnswerSeconds: 2 } },
    clock: { monotonic: () => tookMs, wall: () => tookMs, until: async () => undefined },
  }
  const replies = createReplyJudge(parts as never, judge, {
    userId: 'u-1',
    apiKey: 'ac_live_0123456789abcdef',
    standstills: { lostIn: () => lostMs },
    waits: { deadlineMs: () => 2_000, note: () => undefined },
  })
  const reply = {
    kind: 'answer',
    status: 502,
    statusText: 'Bad Gateway',
    headers: [],
    trailers: [],
    body: JSON.stringify(json),
    json,
    sent: '',
    sentAt: 0,
    receivedAt: tookMs,
    exchange: 'x1',
  }
  const asked = { reply, calls: [{ userId: 'u-1' }], replies: [reply] }
  await replies.judge(failure as never, asked as never, { calls: () => [] } as never)
  return judge.conclude().verdict
}

test.each([
  [{ error: 'x' }, 'pass'],
  [{ detail: 'x' }, 'pass'],
  [{ message: 'x' }, 'warn'],
])('an error of the form %j', async (json, verdict) => {
  expect(await judge({ json })).toBe(verdict)
})

test.each([
  ['prompt', { tookMs: 1_900, lostMs: 0 }, 'pass'],
  ['prompt on a busy machine', { tookMs: 1_900, lostMs: 600 }, 'pass'],
  ['late', { tookMs: 2_500, lostMs: 0 }, 'warn'],
  ['late by more than this machine stood still', { tookMs: 2_500, lostMs: 400 }, 'warn'],
  ['late by less than this machine stood still', { tookMs: 2_500, lostMs: 600 }, 'untested'],
] as const)('a response that is %s', async (_, took, verdict) => {
  expect(await judge(took)).toBe(verdict)
})
