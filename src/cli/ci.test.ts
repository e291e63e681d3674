import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { version } from '../base/version.ts'
import { runJob } from './testing/ci-job.ts'
import { type GitlabJob, readPipeline } from './testing/gitlab.ts'

const root = join(import.meta.dirname, '../..')
const key = `ac_live_${'9fK2xQ7mB4tR8vW1zC6n'}`

const bundle = (text: string) => ({
  'twotoken.yaml': 'name: acme\nbundle: { paths: [dist] }\n',
  'dist/app.js': text,
})
/** In a pull request, where npm would fetch from. */
const npmrc = { '.npmrc': 'registry=http://127.0.0.1:1/\n' }
/** The integrity of a package that the substitute for npm fetches. */
const integrityOf = (name: string) =>
  `sha512-${createHash('sha512').update(`the package ${name}@${version}\n`).digest('base64')}`
const leaky = `export const key = ${JSON.stringify(key)}\n`

async function stepOfTheAction(
  files: Record<string, string>,
  inputs: Record<string, string>,
  absent?: string,
) {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8'))
  const step = action.runs.steps.find(({ id }: { id?: string }) => id === 'judge')
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries<string>(step.env)) {
    const [, input = ''] = /^\$\{\{ inputs\.(\S+) \}\}$/.exec(value) ?? []
    given[name] = inputs[input] ?? action.inputs[input].default
  }
  return runJob(step.run, {
    files,
    ...(absent === undefined ? {} : { absent }),
    variables: {
      ...given,
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: 'output',
      GITHUB_STEP_SUMMARY: 'summary.md',
    },
  })
}

test('the action annotates, summarises, hands on the exit code, and splits the statement for a signer', async () => {
  const inputs = { config: 'twotoken.yaml', arguments: '--suite\nbundle', attest: 'true' }
  await using red = await stepOfTheAction({ ...bundle(leaky), ...npmrc }, inputs)
  expect(red.code).toBe(0)
  expect(red.stdout).toMatch(/^::error file=[^,]+,title=PKG-01 the bundle .+::saw .+; expected /m)
  expect(await red.read('output')).toBe(
    'exit-code=1\noutcome=nonconformant\nresults=twotoken-results\nsarif=twotoken-results/twotoken.sarif\nsubjects=twotoken-results/subjects.txt\npredicate=twotoken-results/predicate.json\n',
  )
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(await red.read('twotoken-results/subjects.txt')).toBe(
    `${sha256(await red.read('twotoken-results/results.json'))}  results.json\n${sha256(leaky)}  dist/app.js\n`,
  )
  const predicate = JSON.parse(await red.read('twotoken-results/predicate.json'))
  expect(predicate).toMatchObject({ result: 'FAILED', failedTests: ['PKG-01'] })
  expect(predicate.configuration[1]).toEqual({
    name: 'twotoken.yaml',
    digest: { sha256: sha256(await red.read('twotoken.yaml')) },
  })
  expect(await red.read('summary.md')).toContain('# acme: nonconformant')
  expect(JSON.parse(await red.read('twotoken-results/twotoken.sarif')).version).toBe('2.1.0')
  for (const text of [red.stdout, await red.read('summary.md')]) expect(text).not.toContain(key)

  await using green = await stepOfTheAction(bundle('export {}\n'), { ...inputs, attest: 'false' })
  expect(await green.read('output')).toContain('exit-code=0\noutcome=conformant\n')
})

test('the action audits paths, spaces and quotes in them included', async () => {
  const inputs = { command: 'audit', arguments: `clean one's\n` }
  await using clean = await stepOfTheAction({ "clean one's/app.js": 'export {}\n' }, inputs)
  expect(await clean.read('output')).toContain('exit-code=0\noutcome=conformant\n')
  await using red = await stepOfTheAction({ "clean one's/app.js": leaky, ...npmrc }, inputs)
  expect(await red.read('output')).toContain('exit-code=1\noutcome=nonconformant\n')
  expect(await red.read('npx.txt')).toBe(`twotoken-audit@${version}\n`)
})

test.each([
  ['twotoken-audit where the job has it', '--', 'twotoken-audit\ntwotoken-audit\n'],
  ['twotoken where the job has no other', '--no-installtwotoken-audit', 'twotoken-audit\ntwotoken\n'],
])('with the version "local", the action audits with %s', async (_, absent, asked) => {
  const inputs = { command: 'audit', arguments: 'dist', version: 'local' }
  await using red = await stepOfTheAction(bundle(leaky), inputs, absent)
  expect(await red.read('output')).toContain('exit-code=1\noutcome=nonconformant\n')
  expect(await red.read('npx.txt')).toBe(asked)
})

const inputsOfComparison = { config: 'twotoken.yaml', arguments: '--suite\nbundle' }

test('the action compares with a baseline, in the job summary and for a comment', async () => {
  await using clean = await stepOfTheAction(bundle('export {}\n'), inputsOfComparison)
  const baseline = await clean.read('twotoken-results/results.json')
  const files = { ...bundle(leaky), 'main/results.json': baseline }
  await using red = await stepOfTheAction(files, { ...inputsOfComparison, baseline: 'main/results.json' })
  expect(await red.read('output')).toContain('comparison=twotoken-results/comparison.md\n')
  const comparison = await red.read('twotoken-results/comparison.md')
  expect(comparison).toMatch(/\| ❌ worse \| \*\*PKG-01\*\* .* \| pass \| fail \| saw /)
  expect(await red.read('summary.md')).toContain(comparison)
  expect(comparison).not.toContain(key)

  const without = { ...inputsOfComparison, baseline: 'nowhere.json' }
  await using lost = await stepOfTheAction(bundle(leaky), without)
  expect(await lost.read('output')).toMatch(/^exit-code=1\n(?!.*comparison=)/s)
})

/** Speaks for GitHub: one pull request with its comments, kept in a file. */
const gh = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const comments = existsSync('comments.json') ? JSON.parse(readFileSync('comments.json', 'utf8')) : []
const args = process.argv.slice(2)
const path = args.find((arg) => arg.startsWith('repos/'))
const body = args.find((arg) => arg.startsWith('body='))?.slice(5)
const method = args[args.indexOf('--method') + 1]
if (body === undefined) for (const { id, body } of comments) if (body.startsWith('<!-- twotoken')) console.log(id)
if (method === 'POST') comments.push({ id: 40 + comments.length, body })
if (method === 'PATCH') comments.find(({ id }) => path.endsWith('/' + id)).body = body
writeFileSync('comments.json', JSON.stringify(comments))
`

test('the action posts the comparison as one comment, which later runs update', async () => {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8'))
  const step = action.runs.steps.find(({ env: own = {} }: { env?: object }) => 'COMPARISON' in own)
  const post = (text: string) => `printf '%s' ${JSON.stringify(text)} >comparison.md\n${step.run}\n`
  await using posted = await runJob(
    `export PATH="$PWD/tools:$PATH"; chmod +x tools/gh\n${post('1 worse')}${post('1 better')}`,
    {
      files: {
        'tools/gh': gh,
        'comments.json': JSON.stringify([{ id: 7, body: 'looks good <!-- twotoken -->' }]),
      },
      variables: {
        GITHUB_ACTION_PATH: root,
        GITHUB_REPOSITORY: 'acme/shop',
        PULL_REQUEST: '12',
        COMPARISON: 'comparison.md',
      },
    },
  )
  expect(posted.code).toBe(0)
  const comments: { body: string }[] = JSON.parse(await posted.read('comments.json'))
  expect(comments.map(({ body }) => body)).toEqual([
    'looks good <!-- twotoken -->',
    '<!-- twotoken: comparison of two runs -->\n1 better',
  ])
})

test('the action says of wrong usage that nothing was judged', async () => {
  await using wrong = await stepOfTheAction({}, { config: 'nowhere.yaml' })
  expect(await wrong.read('output')).toBe('exit-code=2\noutcome=\nresults=twotoken-results\n')
})

test('no input of the action is pasted into a shell text', async () => {
  const { runs } = parse(await readFile(join(root, 'action.yml'), 'utf8'))
  const texts = runs.steps.map(({ run = '' }: { run?: string }) => run)
  expect(texts.filter((text: string) => text.includes('${{'))).toEqual([])
})

/** The commands of a GitLab component's one job, with its inputs filled in. */
async function commandsOfGitlab(file: string, inputs: Record<string, string>) {
  const [{ script }] = Object.values(
    await readPipeline({
      '.gitlab-ci.yml': stringify({ include: [{ local: file, inputs }] }),
      [file]: await readFile(join(root, file), 'utf8'),
    }),
  ) as [GitlabJob]
  return script.join('\n')
}

test('the commands of the GitLab component judge, and render JUnit', async () => {
  const script = await commandsOfGitlab('templates/twotoken.yml', {
    command: 'run --suite bundle',
  })
  await using judged = await runJob(script, { files: { ...bundle('export {}\n'), ...npmrc } })
  expect(judged.code).toBe(0)
  expect(await judged.read('twotoken-results/junit.xml')).toContain('PKG-01')
})

test('the commands of the GitLab component for audits print what they find, and render JUnit', async () => {
  const script = await commandsOfGitlab('templates/audit.yml', { arguments: 'dist --strict' })
  await using judged = await runJob(script, {
    files: { ...bundle(leaky), ...npmrc },
  })
  expect(judged.code).toBe(1)
  expect(judged.stdout).toContain('AUD-001')
  expect(await judged.read('twotoken-audit.xml')).toContain('AUD-001')
  expect(await judged.read('npx.txt')).toBe(`twotoken-audit@${version}\n`)
})

const auditsBy = {
  async action(integrity: string) {
    const ended = await stepOfTheAction(bundle(leaky), { command: 'audit', arguments: 'dist', integrity })
    const [, code] = /exit-code=(\d+)/.exec(await ended.read('output')) ?? []
    return { ...ended, code: Number(code) }
  },
  async component(integrity: string) {
    const script = await commandsOfGitlab('templates/audit.yml', { integrity })
    return await runJob(script, { files: bundle(leaky) })
  },
  async hook(integrity: string) {
    const command = `"${join(root, 'templates/pre-commit.sh')}" --integrity=${integrity} app.js`
    return await runJob(command, { files: { 'app.js': leaky } })
  },
}

test.each(['action', 'component', 'hook'] as const)(
  'the %s runs a package with the integrity that is given, and no other',
  async (by) => {
    await using right = await auditsBy[by](integrityOf('twotoken-audit'))
    expect(right.code).toBe(1)
    expect(await right.read('npx.txt')).toMatch(/\/package-audit\.tgz\n$/)
    await using wrong = await auditsBy[by](integrityOf('another'))
    expect(wrong.code).toBe(2)
    await expect(wrong.read('npx.txt')).rejects.toThrow('ENOENT')
  },
)

test.each([
  [1, 'clean.js empty "a leak.js"'],
  [0, '--strict clean.js empty'],
  [0, '--baseline baseline.json empty'],
  [0, 'clean.js'],
])('the hook of pre-commit ends with %i for %s', async (code, args) => {
  const [hook] = parse(await readFile(join(root, '.pre-commit-hooks.yaml'), 'utf8'))
  await using ended = await runJob(`"${join(root, hook.entry)}" ${args}`, {
    files: {
      'clean.js': 'export {}\n',
      empty: '',
      'a leak.js': leaky,
      'baseline.json': '{"findings":[]}',
      ...npmrc,
    },
  })
  expect(ended.code).toBe(code)
  expect(ended.stdout.includes('AUD-001')).toBe(code === 1)
  // A version in npm's cache is taken from there.
  const lines = (file: string) => ended.read(file).catch(() => 'nothing was run')
  expect(await lines('cached.txt')).toBe(await lines('npx.txt'))
})

test.each([
  ['GitHub', 'docs/ci/github-matrix.yml', (file: Matrices) => file.jobs?.shard.steps.map(({ run }) => run)],
  ['GitLab', 'docs/ci/gitlab-matrix.yml', (file: Matrices) => file.shard?.script],
  [
    'Kubernetes',
    'docs/ci/kubernetes-job.yaml',
    (file: Matrices) => file.spec?.template.spec.containers.flatMap(({ args }) => args),
  ],
])('the shards of the %s example are merged into one verdict', async (_, path, commandsOf) => {
  const [command = ''] = (commandsOf(parse(await readFile(join(root, path), 'utf8'))) ?? []).filter((text) =>
    text?.includes('--shard'),
  )
  expect(command).toContain(`npx --yes twotoken@${version} run`)
  // Two here: how many there are is the example's choice.
  const own = command.replace('/config/', '').replaceAll('"/results/', '"results/').replace('))/4"', '))/2"')
  const shards = [1, 2].map(
    (index) =>
      `export SHARD=${index}/2 CI_NODE_INDEX=${index} CI_NODE_TOTAL=2 JOB_COMPLETION_INDEX=${index - 1}\n${own}`,
  )
  const judge = `code=0; npx --yes twotoken@${version} merge results --out merged >/dev/null || code=$?; echo "code=$code"`
  await using merged = await runJob([...shards, judge].join('\n'), { files: bundle(leaky) })
  // Only the bundle is described: the leak outranks what was not judged.
  expect(merged.stdout).toContain('code=1')
  const { summary, checks } = JSON.parse(await merged.read('merged/results.json'))
  expect(summary).toMatchObject({ fail: 1, error: 0 })
  expect(checks.length).toBeGreaterThan(60)
})

interface Matrices {
  readonly jobs?: { readonly shard: { readonly steps: readonly { readonly run?: string }[] } }
  readonly shard?: { readonly script: readonly string[] }
  readonly spec?: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] }
    }
  }
}
