import { expect, test } from 'vitest'
import type { Level, Verdict } from '../base/verdict.ts'
import { describeBreach, type Finding } from '../requirement/judge.ts'
import { groupFindings, listOtherCases, numberFindings } from './group-findings.ts'

const advice = 'Answer 502 with { "error": "…" } when the mint call fails.'

function found(
  name: string | undefined,
  verdict: Verdict = 'fail',
  level: Level = 'MUST',
  fix = advice,
): Finding {
  const saw = `status 200 when the mint answered ${name}`
  return describeBreach({ level, verdict }, { case: name, saw, expected: 'a non-2xx response (4.2.4)', fix })
}

const casesOf = (...names: readonly (string | undefined)[]) =>
  groupFindings(names.map((name) => found(name))).map(listOtherCases)

test('groups findings that ask for the same change', () => {
  const findings = ['401', '403', 'with HTML'].map((name) => found(name))
  expect(groupFindings(findings)).toEqual([{ verdict: 'fail', findings }])
})

test('lists the cases behind the first, each once', () => {
  expect(casesOf('401', '403', '401', 'with HTML')).toEqual(['also: 403, with HTML'])
})

test('counts cases without a name', () => {
  expect(casesOf('401')).toEqual([''])
  expect(casesOf(undefined, undefined)).toEqual(['and 1 more case'])
  expect(casesOf('401', '401', '401')).toEqual(['and 2 more cases'])
})

test('separates another change, level or verdict, the worst first', () => {
  const late = found('after 12 s', 'warn', 'SHOULD', 'Set a deadline.')
  const wrong = found('200')
  expect(groupFindings([late, wrong]).map(({ findings }) => findings)).toEqual([[wrong], [late]])
})

test('numbers findings by group', () => {
  const lost: Finding = { level: 'MUST', verdict: 'fail', message: 'lost', evidence: [] }
  expect(numberFindings([found('401'), found('403'), lost]).map(({ group }) => group)).toEqual([1, 1, 2])
})
