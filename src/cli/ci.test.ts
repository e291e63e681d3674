import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { version } from '../base/version.ts'
import { type GitlabJob, readPipeline, runJob } from './testing/ci-job.ts'

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

async function stepOfTheAction(files: Record<string, string>, inputs: Record<string, string>) {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8'))
  const step = action.runs.steps.find(({ id }: { id?: string }) => id === 'judge')
  const given = Object.fromEntries(
    Object.entries<string>(step.env).map(([name, value]) => {
      const [, input = ''] = /^\$\{\{ inputs\.(\S+) \}\}$/.exec(value) ?? []
      return [name, inputs[input] ?? action.inputs[input].default]
    }),
  )
  const github = { GITHUB_ACTION_PATH: root, GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary.md' }
  return runJob(step.run, { files, variables: { ...given, ...github } })
}

test('the action annotates, summarises, and hands on the exit code', async () => {
  const inputs = { config: 'twotoken.yaml', arguments: '--suite\nbundle' }
  await using red = await stepOfTheAction({ ...bundle(leaky), ...npmrc }, inputs)
  expect(red.code).toBe(0)
  expect(red.stdout).toMatch(/^::error file=[^,]+,title=PKG-01 the bundle .+::saw .+; expected /m)
  expect(await red.read('output')).toBe(
    'exit-code=1\noutcome=nonconformant\nresults=twotoken-results\nsarif=twotoken-results/twotoken.sarif\n',
  )
  expect(await red.read('summary.md')).toContain('# acme: nonconformant')
  expect(JSON.parse(await red.read('twotoken-results/twotoken.sarif')).version).toBe('2.1.0')
  for (const text of [red.stdout, await red.read('summary.md')]) expect(text).not.toContain(key)

  await using green = await stepOfTheAction(bundle('export {}\n'), inputs)
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
  const script = await commandsOfGitlab('templates/twotoken.yml', { command: 'run --suite bundle' })
  const files = { ...bundle('export {}\n'), ...npmrc, 'package-lock.json': '{}' }
  await using judged = await runJob(script, { files })
  expect(judged.code).toBe(0)
  expect(await judged.read('twotoken-results/junit.xml')).toContain('PKG-01')
  // The stand-in for npm says that it was asked to install.
  expect(judged.stdout).toContain('package-audit.tgz')
})

test('the commands of the GitLab component for audits print what they find, and render JUnit', async () => {
  const script = await commandsOfGitlab('templates/audit.yml', { arguments: 'dist --strict' })
  await using judged = await runJob(script, { files: { ...bundle(leaky), ...npmrc } })
  expect(judged.code).toBe(1)
  expect(judged.stdout).toContain('AUD-001')
  expect(await judged.read('twotoken-audit.xml')).toContain('AUD-001')
  expect(await judged.read('npx.txt')).toBe(`twotoken-audit@${version}\n`)
})

const audits = {
  async action(integrity: string) {
    const ended = await stepOfTheAction(bundle(leaky), { command: 'audit', arguments: 'dist', integrity })
    const [, code] = /exit-code=(\d+)/.exec(await ended.read('output')) ?? []
    return { ...ended, code: Number(code) }
  },
  component: async (integrity: string) =>
    await runJob(await commandsOfGitlab('templates/audit.yml', { integrity }), { files: bundle(leaky) }),
  hook: (integrity: string) =>
    runJob(`"${join(root, 'templates/pre-commit.sh')}" --integrity=${integrity} app.js`, {
      files: { 'app.js': leaky },
    }),
}

test.each(Object.entries(audits))(
  'the %s runs a package with the integrity that is given, and no other',
  async (_, audit) => {
    await using right = await audit(integrityOf('twotoken-audit'))
    expect(right.code).toBe(1)
    expect(await right.read('npx.txt')).toMatch(/\/package-audit\.tgz\n$/)
    await using wrong = await audit(integrityOf('another'))
    expect(wrong.code).toBe(2)
    await expect(wrong.read('npx.txt')).rejects.toThrow('ENOENT')
  },
)

test.each([
  [1, 'clean.js empty "a leak.js"'],
  [0, '--baseline baseline.json empty'],
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

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn)

test.each(['docs/ci/github-matrix.yml', 'docs/ci/gitlab-matrix.yml', 'docs/ci/kubernetes-job.yaml'])(
  'each job of %s has the verdict of its suite',
  async (path) => {
    const texts = textsIn(parse(await readFile(join(root, path), 'utf8')))
    const [command = ''] = texts.filter((text) => text.includes('--suite'))
    expect(command).toContain(`npx --yes twotoken@${version} run`)
    const own = command.replace('/config/', '').replaceAll('"/results/', '"results/')
    await using judged = await runJob(own, {
      files: bundle(leaky),
      variables: { SUITE: 'bundle', JOB_COMPLETION_INDEX: '4' },
    })
    expect(judged.code).toBe(1)
    const { summary } = JSON.parse(await judged.read('results/bundle/results.json'))
    expect(summary).toMatchObject({ fail: 1, error: 0 })
  },
)
