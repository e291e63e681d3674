import { expect, test } from 'vitest'
import type { Verdict } from '../base/verdict.ts'
import type { CheckResult } from '../requirement/run.ts'
import { type Describe, mergeRuns, type Part } from './merge-runs.ts'
import { type RunRecord, resultsOf } from './results.ts'
import { frozenRun } from './testing/frozen-run.ts'

const all = ['MINT-01', 'MINT-02', 'MINT-03', 'MINT-04']
const describeCheck: Describe = (id) => ({
  id,
  title: 'answers',
  role: 'mint',
  level: 'MUST',
  clauses: [],
  why: 'Calls wait.',
})

function judged(id: string, verdict: Verdict = 'pass'): CheckResult {
  const findings = [{ level: 'MUST', verdict, message: 'held', evidence: ['x1'] }] as const
  return { ...describeCheck(id), verdict, durationMs: 1, reason: null, findings, observations: {} }
}

function part(index: number, checks: readonly CheckResult[], change: Partial<RunRecord> = {}): Part {
  const exchange = frozenRun.exchanges.find(({ kind }) => kind === 'http')
  const run = resultsOf({
    target: 'acme',
    startedAt: new Date(1_000_000 + index * 1000),
    durationMs: 5000,
    seed: index,
    config: 'twotoken.yaml',
    interrupted: false,
    shard: { index, count: 2, ids: all },
    checks,
    exchanges: exchange === undefined ? [] : [{ ...exchange, id: 'x1' }],
    ...change,
  })
  return { file: `shard-${index}/results.json`, run }
}

const first = part(1, [judged('MINT-01'), judged('MINT-03')])
const second = part(2, [judged('MINT-02', 'warn'), judged('MINT-04')])

test('has every requirement once, in the order of the whole run, whatever the order of the parts', () => {
  for (const parts of [
    [first, second],
    [second, first],
  ]) {
    const merged = mergeRuns(parts, describeCheck)
    expect(merged.checks.map(({ id }) => id)).toEqual(all)
    expect(merged).toMatchObject({ outcome: 'conformant', summary: { pass: 3, warn: 1 }, durationMs: 6000 })
    expect(merged.config).toBe('twotoken.yaml')
    expect(merged.shard).toBeUndefined()
  }
})

test('evidence still points at the exchanges of its own part', () => {
  const { checks, exchanges } = mergeRuns([first, second], describeCheck)
  const ids = exchanges.map(({ id }) => id)
  expect(new Set(ids).size).toBe(2)
  const evidence = checks.flatMap(({ findings }) => findings.flatMap((finding) => finding.evidence))
  expect(evidence).toEqual(['s1-x1', 's2-x1', 's1-x1', 's2-x1'])
  for (const id of evidence) expect(ids).toContain(id)
})

test('reports an error for each requirement of a lost shard', () => {
  const merged = mergeRuns([first], describeCheck)
  expect(merged.outcome).toBe('incomplete')
  expect(merged.checks.filter(({ verdict }) => verdict === 'error')).toMatchObject([
    { id: 'MINT-02', reason: 'shard 2/2 is missing' },
    { id: 'MINT-04', reason: 'shard 2/2 is missing' },
  ])
})

test('reports an error for each unjudged requirement of a shard that ended early', () => {
  const merged = mergeRuns([first, part(2, [judged('MINT-02')])], describeCheck)
  expect(merged.checks.at(-1)).toMatchObject({ id: 'MINT-04', reason: 'shard 2/2 did not run it' })
})

test('a violation in one shard is a violation of the whole', () => {
  const broken = part(2, [judged('MINT-02', 'fail'), judged('MINT-04')])
  expect(mergeRuns([first, broken], describeCheck).outcome).toBe('nonconformant')
})

test('parts of a run that was split by suite need no shard', () => {
  const { shard: _, ...mint } = first.run
  const { shard: __, ...other } = second.run
  const parts = [mint, other].map((run, index) => ({ file: `${index}.json`, run }))
  expect(mergeRuns(parts, describeCheck)).toMatchObject({ outcome: 'conformant', summary: { pass: 3 } })
})

test.each<[string, readonly Part[], string]>([
  ['nothing', [], 'no results.json'],
  ['another target', [first, part(2, [judged('MINT-02')], { target: 'other' })], 'the target is acme'],
  ['the same shard twice', [first, first], 'MINT-01 is in both'],
  [
    'another count of shards',
    [first, part(2, [judged('MINT-02')], { shard: { index: 2, count: 3, ids: all } })],
    'the shard count is 1/2 in the first and 1/3',
  ],
  [
    'another choice of requirements',
    [first, part(2, [judged('MINT-02')], { shard: { index: 2, count: 2, ids: ['MINT-02'] } })],
    'the number of requirements',
  ],
])('refuses %s', (_, parts, message) => {
  expect(() => mergeRuns(parts, describeCheck)).toThrow(message)
})
