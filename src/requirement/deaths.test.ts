import { expect, test } from 'vitest'
import { createJournal, type HttpExchange } from '../base/evidence/exchange.ts'
import { addRepeatedDeaths, findDeaths } from './deaths.ts'
import type { Judgement } from './judge.ts'
import { recordHttp } from './testing/record-http.ts'

type Course = (string | readonly string[] | { readonly late: string })[]

/** Requests to one backend, a second apart: cases are broken off, `served` and `refused` are ordinary. A late one came first. */
function record(...course: Course) {
  const journal = createJournal()
  let second = 0
  const add = (unavailable: HttpExchange['unavailable'], name?: string, at = second * 1000) =>
    recordHttp(journal, { to: 'backend', at, case: name, unavailable })
  const ids = course.flatMap((step) => {
    second += 1
    if (typeof step === 'object' && 'late' in step) return [add('broken off', step.late, 0)]
    if (step === 'served') return [add(undefined)]
    if (step === 'refused') return [add('refusing')]
    return [step].flat().map((name) => add('broken off', name))
  })
  return { journal, ids }
}

const passed: Judgement = { verdict: 'pass', reason: null, findings: [], observations: {} }

function judged(level: 'MUST' | 'SHOULD' | 'INFO', ...course: Course) {
  const { journal, ids } = record(...course)
  const { verdict, findings } = addRepeatedDeaths({ level }, passed, findDeaths(ids, journal))
  return [verdict, ...findings.map((one) => one.seen)]
}

test('a part that ends twice at one case has failed, at the level of the requirement', () => {
  const course = ['a cookie', 'refused', 'refused', 'served', 'a cookie', 'refused', 'served']
  expect(judged('MUST', ...course)).toEqual(['fail', 'the backend exit twice, each time during a cookie'])
  expect(judged('SHOULD', ...course)[0]).toBe('warn')
  expect(judged('INFO', ...course)).toEqual(['pass'])
})

test('the case that ends it alone is named, and not those that were under way with it before', () => {
  const course = [
    ['a cookie', 'a header'],
    'refused',
    'served',
    'a header',
    'refused',
    'served',
    'a cookie',
    'served',
  ]
  expect(judged('MUST', ...course)).toEqual(['fail', 'the backend exit twice, each time during a header'])
})

test.each<[string, Course]>([
  ['one end', ['a cookie', 'refused', 'served']],
  ['one end that breaks off several of a case', [['a cookie', 'a cookie'], 'refused']],
  ['one end that is seen late', ['a cookie', 'refused', { late: 'a cookie' }, 'refused']],
  ['ends at two cases', ['a cookie', 'refused', 'served', 'a header', 'refused']],
  [
    'connections that were broken off before others were served',
    ['a cookie', 'served', 'a cookie', 'served', 'refused'],
  ],
])('%s is no violation', (_, course) => {
  expect(judged('MUST', ...course)).toEqual(['pass'])
})

test('an end belongs to the check that sent what was broken off', () => {
  const { journal, ids } = record('a cookie', 'refused', 'refused')
  expect(findDeaths(ids.slice(1), journal)).toEqual([])
  expect(journal.unavailableIn(ids[2] ?? '')).toMatchObject({ endedAt: [{ case: 'a cookie' }] })
})
