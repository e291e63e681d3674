import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { type AnyCheck, defineCheck } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession, type Session } from '../../src/requirement/session.ts'

type Part = 'case' | 'ordinary'

/** A mint that does not answer what carries no ttlSeconds, or nothing at all, from the first or the second time on. */
async function judged(hangs: (part: Part, time: number) => boolean, check: AnyCheck = asksWithoutTtl) {
  const times = { case: 0, ordinary: 0 }
  await using reference = await startReference({
    variant: {
      mint: {
        answer(answer, { body }) {
          const part: Part = body?.includes('ttlSeconds') === false ? 'case' : 'ordinary'
          times[part] += 1
          return hangs(part, times[part]) ? new Promise(() => undefined) : answer
        },
      },
      configuration: { limits: { requestSeconds: 2 } },
    },
  })
  await using session: Session = await openSession(reference.configuration)
  return await runCheck(check, session)
}

const about = {
  role: 'mint',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.2'],
  title: 't',
  why: 'w',
  how: { does: ['h'] },
} as const
const asksWithoutTtl = defineCheck({
  ...about,
  id: 'MINT-90',
  needs: ['mint'],
  async run({ mint }, judge) {
    const reply = await mint.request()
    judge.must(reply.kind === 'answer', {
      saw: 'nothing',
      expected: 'an answer',
      fix: 'Answer.',
      evidence: [reply.exchange],
    })
  },
})

test('a case that breaks the service each time is a violation', async () => {
  const { verdict, findings } = await judged((part) => part === 'case')
  expect({ verdict, messages: findings.map(({ message }) => message) }).toEqual({
    verdict: 'fail',
    messages: ['saw nothing; expected an answer. Answer.'],
  })
})

test('a fault that does not recur is no violation', async () => {
  const { verdict, reason } = await judged((part, time) => part === 'case' && time === 1)
  expect({ verdict, reason }).toEqual({
    verdict: 'error',
    reason: 'the mint did not answer within 2 s, but not on a retry',
  })
})

test.each([1, 5])('nor is one that ordinary request number %i meets as well', async (bad) => {
  const { verdict, reason } = await judged((part, time) => part === 'case' || time === bad)
  expect({ verdict, reason }).toEqual({
    verdict: 'error',
    reason:
      'the mint did not answer within 2 s, and an ordinary request failed as well: the mint did not answer within 2 s',
  })
})
