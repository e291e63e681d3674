import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../audit/src/testing/audit-files.ts'
import { runToEnd } from '../../../fixtures/package/testing/run-to-end.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { resolveConfiguration } from '../../configuration/load.ts'
import type { Variant } from '../../requirement/define.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { createCheckMask } from './test-statement.ts'

const root = join(import.meta.dirname, '../../..')

/** Runs Vitest on a project of one test file, as a user's own test run; returns its tests by the id of their requirement. */
async function project(options: string, variant: Variant) {
  await using reference = await startReference({ variant })
  const entry = JSON.stringify(join(import.meta.dirname, 'vitest.ts'))
  await using made = await folderOf({
    'twotoken.yaml': JSON.stringify(reference.written),
    'conformance.test.ts': `import { describeConformance } from ${entry}\ndescribeConformance(${options})\n`,
  })
  const { folder } = made
  const report = join(folder, 'report.json')
  const args = ['run', '--root', folder, '--reporter=json', `--outputFile=${report}`]
  const { code } = await runToEnd(join(root, 'node_modules/.bin/vitest'), args, { cwd: folder })
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as JsonReport
  const assertions = testResults.flatMap(({ assertionResults }) => assertionResults)
  return { code, tests: new Map(assertions.map((one) => [one.title.split(' ')[0], one])) }
}

interface JsonReport {
  readonly testResults: readonly { readonly assertionResults: readonly Assertion[] }[]
}

interface Assertion {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

test('a violation fails its test, and says what was seen and expected', async () => {
  const { code, tests } = await project(`{ only: ['MINT-01', 'MINT-04'] }`, {
    mint: { presentedKey: () => '', keyMatches: () => true },
  })
  expect(tests.get('MINT-01')?.status).toBe('passed')
  expect(tests.get('MINT-04')).toMatchObject({
    status: 'failed',
    failureMessages: [expect.stringMatching(/MINT-04: saw .+; expected /)],
  })
  expect(code).toBe(1)
})

test('fails where a requirement could not be judged, unless that is allowed', async () => {
  const lost = { otherProjectKey: null, mint: null }
  const strict = await project(`{ only: ['MINT-01'] }`, { configuration: lost })
  expect(strict.tests.get('MINT-01')).toMatchObject({
    status: 'failed',
    failureMessages: [
      expect.stringContaining('MINT-01: needs mint.url and mint.apiKey (or allowIncomplete: true)'),
    ],
  })
  const lenient = await project(`{ only: ['MINT-01'], allowIncomplete: true }`, { configuration: lost })
  expect(lenient.tests.get('MINT-01')?.status).toBe('skipped')
  expect([strict.code, lenient.code]).toEqual([1, 0])
})

test('a test runner prints what the suite has sent, and nothing else that is not known', async () => {
  const configuration = await resolveConfiguration({ name: 'acme' }, { directory: '/', environment: {} })
  const journal = createJournal()
  const mask = createCheckMask({ configuration, journal, secrets: createSecrets() })
  journal.record({
    kind: 'http',
    from: 'suite',
    to: 'mint',
    at: 0,
    durationMs: 1,
    request: { method: 'POST', url: 'https://mint.test/', headers: [], body: '{"userId":"q8Zk3vWmX2"}' },
  })
  const message = 'saw "q8Zk3vWmX2" and "pL7RtY9aBc"; expected a token'
  const result = mask({
    id: 'MINT-01',
    title: 'a requirement',
    role: 'mint',
    level: 'MUST',
    clauses: [],
    verdict: 'fail',
    reason: null,
    durationMs: 1,
    findings: [{ level: 'MUST', verdict: 'fail', message, evidence: [] }],
    observations: {},
  } satisfies CheckResult)
  expect(result.findings[0]?.message).toMatch(
    /^saw "q8Zk3vWmX2" and "‹10 characters #\w{4}›"; expected a token$/,
  )
})
