import { expect, test } from 'vitest'
import { createJudge } from './judge.ts'
import { cutShort } from './run.ts'

test('keeps a violation that was found before the tokens of a run ran out', () => {
  const judge = createJudge('MUST')
  judge.must(false, { saw: 'the key in a page', expected: 'no key', fix: 'Remove it.' })
  expect(cutShort(judge.conclude(), 'no token was left')).toMatchObject({
    verdict: 'fail',
    findings: [{ verdict: 'fail' }],
  })
})

test('leaves a check untested that had found nothing when the tokens ran out', () => {
  const judge = createJudge('MUST')
  judge.passed()
  expect(cutShort(judge.conclude(), 'no token was left')).toMatchObject({ verdict: 'untested', findings: [] })
})
