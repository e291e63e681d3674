import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import type { Variant } from '../../requirement/define.ts'

const root = join(import.meta.dirname, '../../..')

interface Outcome {
  readonly code: number
  readonly tests: ReadonlyMap<string, { readonly status: string; readonly message: string }>
  readonly text: string
}

/** Runs Vitest on a project of one test file, as a user's own test run. */
async function project(options: string, variant: Variant = {}, change: object = {}): Promise<Outcome> {
  await using reference = await startReference({ variant })
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-vitest-'))
  try {
    await writeFile(join(folder, 'twotoken.yaml'), JSON.stringify({ ...reference.written, ...change }))
    await writeFile(
      join(folder, 'conformance.test.ts'),
      `import { describeConformance } from ${JSON.stringify(join(import.meta.dirname, 'vitest.ts'))}\n` +
        `describeConformance(${options})\n`,
    )
    const report = join(folder, 'report.json')
    const args = ['run', '--root', folder, '--reporter=default', '--reporter=json', `--outputFile=${report}`]
    const { code, text } = await ended(join(root, 'node_modules/.bin/vitest'), args, folder)
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as JsonReport
    const assertions = testResults.flatMap(({ assertionResults }) => assertionResults)
    return {
      code,
      text: text + testResults.map(({ message }) => message).join('\n'),
      tests: new Map(
        assertions.map(({ title, status, failureMessages }) => [
          title.split(' ')[0] ?? '',
          { status, message: failureMessages?.join('\n') ?? '' },
        ]),
      ),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface JsonReport {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

function ended(file: string, args: readonly string[], cwd: string): Promise<{ code: number; text: string }> {
  return new Promise((done) => {
    execFile(file, args, { cwd }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })
}

test('each chosen requirement is a test of its own, and passes on the reference', async () => {
  const { code, tests } = await project(`{ only: ['MINT-01', 'MINT-04', 'BACK-01'] }`)
  expect(Object.fromEntries(tests)).toMatchObject({
    'MINT-01': { status: 'passed' },
    'MINT-04': { status: 'passed' },
    'BACK-01': { status: 'passed' },
  })
  expect({ code, count: tests.size }).toEqual({ code: 0, count: 3 })
})

test('a violation fails its test, and says what was seen and expected', async () => {
  const { code, tests } = await project(`{ only: ['MINT-01', 'MINT-04'] }`, {
    mint: { presentedKey: () => '', keyMatches: () => true },
  })
  expect(tests.get('MINT-01')?.status).toBe('passed')
  expect(tests.get('MINT-04')).toMatchObject({ status: 'failed' })
  expect(tests.get('MINT-04')?.message).toMatch(/MINT-04: saw .+; expected /)
  expect(code).toBe(1)
})

test('fails where a requirement could not be judged, unless that is allowed', async () => {
  const lost = { otherProjectKey: null, mint: null }
  const strict = await project(`{ only: ['MINT-01'] }`, { configuration: lost })
  expect(strict.tests.get('MINT-01')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('MINT-01: needs mint.url and mint.apiKey (or allowIncomplete: true)'),
  })
  const lenient = await project(`{ only: ['MINT-01'], allowIncomplete: true }`, { configuration: lost })
  expect(lenient.tests.get('MINT-01')?.status).toBe('skipped')
  expect([strict.code, lenient.code]).toEqual([1, 0])
})

test('a mint that cannot be reached is one sentence, and fails no requirement', async () => {
  const { code, text } = await project(`{ only: ['MINT-01', 'MINT-04'] }`, {
    configuration: { mint: { url: 'http://127.0.0.1:9' } },
  })
  expect(code).toBe(1)
  expect(text).toMatch(/the run did not start:\s+mint: /)
})
