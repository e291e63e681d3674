import { expect, test } from 'vitest'
import { frozenRun } from '../testing/frozen-run.ts'
import { schemaErrors } from '../testing/published-schemas.ts'
import { renderCtrf } from './ctrf.ts'

const report = JSON.parse(renderCtrf(frozenRun))
const { summary, tests } = report.results
const statusOf = (id: string) => tests.find(({ extra }: { extra: { id: string } }) => extra.id === id)?.status

test('names the format and the tool', () => {
  expect(report).toMatchObject({
    reportFormat: 'CTRF',
    specVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  expect(report.results.tool).toEqual({ name: 'twotoken', version: '1.0.0' })
})

test('breaks nothing of the published schema', () => {
  expect(schemaErrors('ctrf', report)).toEqual([])
  expect(schemaErrors('ctrf', { ...report, results: { ...report.results, summary: {} } })).not.toEqual([])
})

test.each([
  ['MINT-01', 'passed'],
  ['MINT-04', 'failed'],
  ['BACK-01', 'failed'],
  ['BACK-14', 'passed'],
  ['MINT-16', 'pending'],
  ['MINT-15', 'skipped'],
])('%s comes out %s', (id, status) => {
  expect(statusOf(id)).toBe(status)
})

test('nothing that is unknown counts as passed', () => {
  const unknown = frozenRun.checks.filter(({ verdict }) => verdict === 'untested' || verdict === 'error')
  expect(unknown.length).toBeGreaterThan(0)
  for (const { id } of unknown) expect(statusOf(id)).not.toBe('passed')
})

test('counts what it lists, and keeps our verdict', () => {
  const statuses = ['passed', 'failed', 'skipped', 'pending', 'other']
  for (const status of statuses)
    expect(summary[status]).toBe(tests.filter((one: { status: string }) => one.status === status).length)
  expect(summary).toMatchObject({ tests: frozenRun.checks.length, suites: 3 })
  expect(summary.stop - summary.start).toBe(frozenRun.durationMs)
  expect(tests.map(({ rawStatus }: { rawStatus: string }) => rawStatus)).toEqual(
    frozenRun.checks.map(({ verdict }) => verdict),
  )
})

test('a failed one says why', () => {
  expect(tests[1].message).toContain('saw a token issued (200)')
  expect(tests[1].trace).toContain('saw 200; expected 401')
})
