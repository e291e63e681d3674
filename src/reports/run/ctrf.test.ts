import { expect, test } from 'vitest'
import { z } from 'zod'
import { frozenRun } from '../testing/frozen-run.ts'
import { renderCtrf } from './ctrf.ts'

const whole = z.int()
/** The rules of CTRF 0.0 for the fields that the report writes; it allows no others. */
const ctrf = z.strictObject({
  reportFormat: z.literal('CTRF'),
  specVersion: z.string().regex(/^\d+\.\d+\.\d+$/),
  timestamp: z.iso.datetime(),
  generatedBy: z.string(),
  results: z.strictObject({
    tool: z.strictObject({ name: z.string(), version: z.string() }),
    summary: z.strictObject({
      tests: whole,
      passed: whole,
      failed: whole,
      skipped: whole,
      pending: whole,
      other: whole,
      start: whole,
      stop: whole,
      duration: whole,
    }),
    tests: z.array(
      z.strictObject({
        testId: z.string(),
        name: z.string(),
        status: z.enum(['passed', 'failed', 'skipped', 'pending', 'other']),
        rawStatus: z.string(),
        duration: whole,
        suite: z.array(z.string()),
        tags: z.array(z.string()),
        message: z.string().exactOptional(),
      }),
    ),
    environment: z.strictObject({ reportName: z.string(), extra: z.record(z.string(), z.unknown()) }),
  }),
})

const { results } = ctrf.parse(JSON.parse(renderCtrf(frozenRun)))

test('counts each test once', () => {
  const { tests, passed, failed, skipped, pending, other, start, stop } = results.summary
  expect(passed + failed + skipped + pending + other).toBe(tests)
  expect(tests).toBe(frozenRun.checks.length)
  expect(failed).toBe(frozenRun.summary.fail)
  expect(other).toBe(frozenRun.summary.error)
  expect(skipped).toBe(frozenRun.summary.untested + frozenRun.summary['not-applicable'])
  expect(stop - start).toBe(frozenRun.durationMs)
})

test('carries id, title, verdict, duration, suite and messages', () => {
  const check = frozenRun.checks.find(({ verdict }) => verdict === 'fail')
  const found = results.tests.find(({ testId }) => testId === check?.id)
  expect(found).toMatchObject({
    name: `${check?.id} ${check?.title}`,
    status: 'failed',
    rawStatus: 'fail',
    suite: [check?.role],
    message: expect.stringContaining(check?.findings[0]?.message ?? 'no finding'),
  })
  expect(results.tests.find(({ rawStatus }) => rawStatus === 'warn')).toMatchObject({
    status: 'passed',
    message: expect.any(String),
  })
})
