import { readdir, readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { BackendPolicy } from '../../fixtures/backend/policy.ts'
import { type ReferenceOptions, startReference } from '../../fixtures/stack.ts'
import { renderJob } from './init/backend-files.ts'
import { proposePlan } from './init/backend-plan.ts'
import { families } from './init/families.ts'
import { readPipeline, runJob } from './testing/ci-job.ts'

// GitHub's parser imports JSON as bundlers do.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import(
  '@actions/workflow-parser'
)

const root = join(import.meta.dirname, '../..')
const examples = await readdir(join(root, 'docs/ci'))
const read = (name: string) => readFile(join(root, 'docs/ci', name), 'utf8')
const workflows = [
  ...(await readdir(join(root, '.github/workflows'))).map((name) => `.github/workflows/${name}`),
  ...examples.filter((name) => name.startsWith('github-')).map((name) => `docs/ci/${name}`),
]

async function errorsOf(content: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

test.each(workflows)("GitHub's own parser finds no fault in %s", async (path) => {
  expect(await errorsOf(await readFile(join(root, path), 'utf8'))).toEqual([])
})

test.each(examples.filter((name) => name.startsWith('gitlab-')))(
  "GitLab's published schema finds no fault in %s",
  async (name) => {
    const text = await read(name)
    expect(Object.keys(await readPipeline({ '.gitlab-ci.yml': text }))).not.toEqual([])
  },
)

interface Job {
  readonly env?: Readonly<Record<string, string>>
  readonly steps: readonly { readonly if?: string; readonly run?: string }[]
}

type Workflow = Pick<Job, 'env'> & { readonly jobs: Readonly<Record<string, Job>> }

interface Surroundings {
  readonly files: Readonly<Record<string, string>>
  /** Values of expressions, such as `secrets.CALLING_API_KEY`. */
  readonly values: Readonly<Record<string, string>>
  /** A part of a command that takes long, and what the test runs in its place. */
  readonly shortened?: readonly [string, string] | undefined
}

/** Runs the shell steps of a job in their order; behind a step that failed only those that always run. */
async function runSteps(name: string, job: string, { files, values, shortened }: Surroundings) {
  const workflow: Workflow = parse(await read(name))
  const { env = {}, steps } = workflow.jobs[job] ?? { steps: [] }
  const shells = steps.flatMap(({ run, if: condition }) => {
    if (run === undefined) return []
    const command = shortened === undefined ? run : run.replace(...shortened)
    const begins = condition?.includes('always()') ? 'true' : '[ $failed = 0 ]'
    return [`if ${begins}; then ( set -e\n${command}\n) || failed=$?; fi`]
  })
  expect(shells.join('\n')).toContain(shortened?.[1] ?? '')
  const variables = Object.fromEntries(
    Object.entries({ ...workflow.env, ...env }).map(([variable, text]) => [
      variable,
      text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => values[expression] ?? ''),
    ]),
  )
  return await runJob(`set +e; failed=0\n${shells.join('\n')}\nexit $failed`, {
    files,
    variables: { ...variables, GITHUB_STEP_SUMMARY: 'summary.md' },
  })
}

/** The reference and its configuration; the key of the mint comes from the secrets of the job, if it has any. */
async function startService(options: ReferenceOptions, hasSecret: boolean) {
  const reference = await startReference(options)
  const key = reference.mint.keys.active
  const { mint, ...parts } = reference.written
  const text = hasSecret
    ? stringify({ mint, ...parts }).replaceAll(key, `\${CALLING_API_KEY}`)
    : stringify(parts)
  return {
    files: { 'twotoken.yaml': text },
    values: { 'secrets.CALLING_API_KEY': key, 'matrix.role': 'mint' },
    [Symbol.asyncDispose]: () => reference[Symbol.asyncDispose](),
  }
}

test.each([
  ['conformance', ['--suite mint,signaling', '--only MINT-04,SIG-03']],
  ['contract', undefined],
  ['exploration', ['--minutes 20', '--minutes 0.1']],
] as const)("the service team's workflow runs its job %s", async (job, shortened) => {
  await using service = await startService({ withoutDouble: true }, true)
  await using ended = await runSteps('github-service.yml', job, { ...service, shortened })
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: expect.any(String) })
  expect(await ended.read('summary.md')).toContain(': conformant')
})

test("init writes the steps of the backend team's workflow, the passwords, and what else the backend reads", async () => {
  const family = families.find(({ language }) => language === 'node') ?? null
  const plan = { ...proposePlan('acme', null, { login: '/login' }, 'github'), family, variables: ['DB_URL'] }
  const { text = '' } = renderJob(plan) ?? {}
  expect(await errorsOf(text)).toEqual([])
  const written: Workflow = parse(text)
  const example: Workflow = parse(await read('github-backend.yml'))
  const commands = (job = written.jobs['twotoken']) => job?.steps.flatMap(({ run }) => run ?? [])
  expect(commands()).toEqual(commands(example.jobs['backend']))
  expect(text).toMatch(/BOB_PASSWORD: .*\n +# Set these too, if the backend needs them to start: DB_URL\n/)
})

test("the backend team's workflow says what is wrong, and fails", async () => {
  const backend: Partial<BackendPolicy> = {
    userId: ({ userId }, { url }) => url.searchParams.get('userId') ?? userId,
  }
  await using service = await startService({ variant: { backend } }, false)
  const shortened = ['--suite backend', '--only BACK-04'] as const
  await using ended = await runSteps('github-backend.yml', 'backend', { ...service, shortened })
  expect(ended.code).toBe(1)
  expect(await ended.read('summary.md')).toContain(': nonconformant')
  expect(ended.stdout).toContain('::error ')
})

test("the app team's workflow judges the client", async () => {
  await using service = await startService({ withClient: true }, false)
  const shortened = ['--suite client', '--only CLI-01'] as const
  await using ended = await runSteps('github-app.yml', 'client', { ...service, shortened })
  expect(ended.code).toBe(0)
  expect(await ended.read('summary.md')).toContain(': conformant')
})
