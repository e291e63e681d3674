import { describe, expect, test } from 'vitest'
import type { Verdict } from '../base/verdict.ts'
import type { CheckResult } from '../requirement/run.ts'
import { diffRuns, exitCodeOfDiff, type RunDiff } from './diff-runs.ts'
import { type RunResults, resultsOf } from './results.ts'
import { frozenRun } from './testing/frozen-run.ts'

function check(
  id: string,
  verdict: Verdict,
  observations: Readonly<Record<string, unknown>> = {},
): CheckResult {
  return {
    id,
    title: 'does something',
    role: 'mint',
    level: 'MUST',
    clauses: ['2.2'],
    verdict,
    durationMs: 1,
    reason: null,
    findings: [{ level: 'MUST', verdict, message: `came out ${verdict}`, evidence: [] }],
    observations,
  }
}

function run(...checks: readonly CheckResult[]): RunResults {
  const startedAt = new Date(frozenRun.startedAt)
  return resultsOf({
    target: 't',
    startedAt,
    durationMs: 1,
    seed: 1,
    interrupted: false,
    checks,
    exchanges: [],
  })
}

const kinds = ['newFailures', 'fixed', 'stillFailing', 'lost', 'changed', 'added', 'removed'] as const
const listsOf = (found: RunDiff, id: string) =>
  kinds.filter((kind) => found[kind].some((change) => change.id === id))

describe.each([
  ['pass', 'fail', 'newFailures', 1],
  ['warn', 'fail', 'newFailures', 1],
  ['untested', 'fail', 'newFailures', 1],
  [null, 'fail', 'newFailures', 1],
  ['fail', 'pass', 'fixed', 0],
  ['fail', 'warn', 'fixed', 0],
  ['fail', 'fail', 'stillFailing', 0],
  ['fail', 'untested', 'lost', 3],
  ['fail', 'error', 'lost', 3],
  ['pass', 'untested', 'lost', 3],
  ['pass', null, 'lost', 3],
  ['fail', null, 'lost', 3],
  ['fail', 'not-applicable', 'changed', 0],
  ['pass', 'warn', 'changed', 0],
  ['untested', 'pass', 'changed', 0],
  ['untested', 'error', 'changed', 0],
  [null, 'pass', 'added', 0],
  ['untested', null, 'removed', 0],
] as const)('%s, and then %s', (old, now, list, code) => {
  const common = check('MINT-01', 'pass')
  const older = run(common, ...(old === null ? [] : [check('MINT-04', old)]))
  const newer = run(common, ...(now === null ? [] : [check('MINT-04', now)]))
  const found = diffRuns(older, newer)

  test(`is listed as ${list} and nowhere else`, () => {
    expect(listsOf(found, 'MINT-04')).toEqual([list])
    expect(found[list][0]).toMatchObject({ id: 'MINT-04', old, new: now })
  })

  test(`ends with ${code}`, () => {
    expect(exitCodeOfDiff(found)).toBe(code)
  })

  test('leaves out what did not change', () => {
    expect(listsOf(found, 'MINT-01')).toEqual([])
  })
})

test('a new violation outranks what is unknown', () => {
  const older = run(check('MINT-01', 'pass'), check('MINT-04', 'pass'))
  expect(exitCodeOfDiff(diffRuns(older, run(check('MINT-01', 'fail'), check('MINT-04', 'untested'))))).toBe(1)
})

test('says of a new violation what was found', () => {
  const found = diffRuns(run(check('MINT-01', 'pass')), run(check('MINT-01', 'fail')))
  expect(found.newFailures[0]?.says).toEqual(['came out fail'])
})

test('goes down to what is observed otherwise', () => {
  const older = run(
    check('MINT-11', 'info', { 'mint.odd': { a: { b: 1, c: 2 } }, 'mint.gone': 1, 'mint.same': [1] }),
  )
  const newer = run(
    check('MINT-11', 'info', { 'mint.odd': { a: { b: 1, c: 3 } }, 'mint.new': null, 'mint.same': [1] }),
  )
  expect(diffRuns(older, newer).observations).toEqual([
    { name: 'mint.odd › a › c', old: 2, new: 3 },
    { name: 'mint.gone', old: 1 },
    { name: 'mint.new', new: null },
  ])
})

test('another fingerprint of something that is not shown is no change', () => {
  const seen = (fingerprint: string, length = 12) =>
    run(
      check('MINT-20', 'info', {
        'mint.server': { [`‹9 characters #${fingerprint}›`]: `‹${length} characters #${fingerprint}›` },
      }),
    )
  expect(diffRuns(seen('a1b2'), seen('c3d4')).observations).toEqual([])
  expect(diffRuns(seen('a1b2'), seen('a1b2', 13)).observations).toHaveLength(1)
})

test('two runs that judged different things cannot be compared', () => {
  expect(() => diffRuns(run(check('MINT-01', 'pass')), run(check('BACK-01', 'pass')))).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining('no requirement in common') }),
  )
  expect(() => diffRuns(run(), run())).toThrow(expect.objectContaining({ code: 'usage' }))
})
