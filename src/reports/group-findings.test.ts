import { expect, test } from 'vitest'
import type { Level, Verdict } from '../base/verdict.ts'
import type { Finding } from '../requirement/judge.ts'
import { groupFindings, numberFindings } from './group-findings.ts'

const advice = 'Answer 502 with { "error": "…" } when the mint call fails.'

function found(saw: string, verdict: Verdict = 'fail', level: Level = 'MUST', fix = advice): Finding {
  return { level, verdict, message: `saw ${saw}; expected a non-2xx response (4.2.4). ${fix}`, evidence: [] }
}

test('findings that ask for the same change are one group, with what differs as the cases', () => {
  const findings = ['401', '403', 'with HTML'].map((how) => found(`status 200 when the mint answered ${how}`))
  expect(groupFindings(findings)).toEqual([{ verdict: 'fail', findings, cases: ['401', '403', 'with HTML'] }])
})

test('names differences in the middle of a sentence as well', () => {
  const findings = ['a', 'b'].map((name) => found(`a mint call for ${name} without a session`))
  expect(groupFindings(findings)[0]?.cases).toEqual(['a', 'b'])
})

test('names no cases for sentences with nothing in common', () => {
  expect(groupFindings([found('no response'), found('status 200')])[0]?.cases).toBeNull()
})

test('a sentence that is the beginning of another names no case', () => {
  expect(groupFindings([found('a token of bob'), found('a token of bob twice')])[0]?.cases).toBeNull()
})

test('another change, level or verdict is another group, the worst first', () => {
  const late = found('a response after 12 s', 'warn', 'SHOULD', 'Set a deadline.')
  const wrong = found('status 200')
  expect(groupFindings([late, wrong]).map(({ findings }) => findings)).toEqual([[wrong], [late]])
})

test('each finding has its advice, its case and the number of its group', () => {
  const findings = [
    found('status 200 when 401'),
    found('status 200 when 403'),
    { ...found('x'), message: 'lost' },
  ]
  expect(numberFindings(findings).map(({ advice, case: name, group }) => [advice, name, group])).toEqual([
    [advice, '401', 1],
    [advice, '403', 1],
    [undefined, undefined, 2],
  ])
})
