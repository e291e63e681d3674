import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { expect, test } from 'vitest'
import { folderOf } from '../../audit/src/testing/audit-files.ts'
import { runToEnd } from '../../fixtures/package/testing/run-to-end.ts'
import { removedWords } from '../base/removed.ts'
import { rejectRemoved } from './command-line.ts'
import { findConfiguration, requireConfiguration } from './find-configuration.ts'
import { unsupportedNode } from './start.ts'
import { main, runCommand } from './testing/run-command.ts'
import { createWorkplace } from './testing/workplace.ts'

test('a run writes each report that --report names', async () => {
  await using place = await createWorkplace({ name: 'acme' })
  const asked = ['--report', 'junit=junit.xml', '--report', 'sarif=deep/results.sarif']
  const { code, stdout } = await place.start(['run', '--only', 'MINT-01', ...asked]).ended
  expect(code).toBe(3)
  expect(stdout).toContain('MINT-01')
  expect(await place.read('../junit.xml')).toContain('<testsuites')
  expect(JSON.parse(await place.read('../deep/results.sarif'))).toMatchObject({ version: '2.1.0' })
})

test.each(['pdf=a.pdf', 'junit', 'toString=a'])(
  '--report %s is refused before anything is judged, with the formats',
  async (value) => {
    await using place = await createWorkplace({ name: 'acme' })
    const { code, stderr } = await place.start(['run', '--report', value]).ended
    expect(code).toBe(2)
    expect(stderr).toContain('use FORMAT=FILE with one of html, github, junit, sarif')
  },
)

test('a report that cannot be written leaves the results', async () => {
  await using place = await createWorkplace({ name: 'acme' })
  await place.write('taken', '')
  const asked = ['--report', 'junit=taken/junit.xml']
  const { code, stderr } = await place.start(['run', '--only', 'MINT-01', ...asked]).ended
  expect(code).toBe(4)
  expect(stderr).toContain('taken/junit.xml: a part of its path is a file')
  expect((await place.results()).checks).toHaveLength(1)
})

test('--env and --env-file name a file of values; one that is missing is one sentence, and wrong usage', async () => {
  const mint = { url: 'http://127.0.0.1:9', apiKey: '$' + '{KEY}' }
  await using place = await folderOf({
    'twotoken.yaml': JSON.stringify({ mint }),
    'staging.env': 'KEY=a-session\n',
  })
  const { code, stderr } = await runCommand(['doctor', '--env', 'no.env'], place.folder)
  expect(stderr).toMatch(/^twotoken: .*no\.env cannot be read: name a file with lines NAME=value\n$/)
  expect(code).toBe(2)
  for (const option of ['--env', '--env-file']) {
    const given = await runCommand(['doctor', option, 'staging.env'], place.folder)
    expect(given.stderr).not.toContain('needs the environment variable')
  }
})

test('the configuration is the one of the repository, or of a package in it', async () => {
  await using project = await folderOf({ 'twotoken.yaml': '', 'repository/.git': '' })
  const inner = join(project.folder, 'repository/packages/shop')
  await mkdir(inner, { recursive: true })
  expect(findConfiguration(inner)).toBeUndefined()
  expect(() => requireConfiguration(inner)).toThrow(/--reference$/)
  await writeFile(join(project.folder, 'repository/twotoken.yaml'), '')
  expect(findConfiguration(inner)).toBe(join('..', '..', 'twotoken.yaml'))
  await writeFile(join(inner, 'twotoken.yaml'), '')
  expect(findConfiguration(inner)).toBe('twotoken.yaml')
})

test.each(Object.keys(removedWords))('%s is rejected with what to do instead', (words) => {
  const program = new Command('twotoken')
  expect(() => rejectRemoved(program, words.split(' '))).toThrow(`${words} was removed: `)
})

test('an option that takes its value behind an equals sign is rejected as well', () => {
  const program = new Command('twotoken')
  expect(() => rejectRemoved(program, ['run', '--shard=1/2'])).toThrow('run --shard was removed')
  const audit = new Command('twotoken-audit')
  expect(() => rejectRemoved(audit, ['dist', '--git=main..HEAD'])).toThrow('audit --git was removed')
})

test('accepts the words that a command takes', () => {
  const program = new Command('twotoken')
  program
    .command('explore')
    .addArgument(new Argument('<role>').choices(['client']))
    .option('--until-covered')
  expect(() => rejectRemoved(program, ['explore', 'client', '--until-covered'])).not.toThrow()
  expect(() => rejectRemoved(program, ['verify', '--blame'])).not.toThrow()
  expect(() => rejectRemoved(program, [])).not.toThrow()
})

test.each(['22.22.0', '22.30.1', '24.0.0', '24.21.0', '25.1.0', '26.0.0'])('Node %s will do', (version) => {
  expect(unsupportedNode(version)).toBeNull()
})

test.each(['18.20.8', '20.20.2', '22.12.0', '22.21.9', '23.11.0'])('Node %s will not', (version) => {
  expect(unsupportedNode(version)).toBe(
    `needs Node 22.22 or 24.0 or later, but this is Node ${version}; install a newer version`,
  )
})

test('the command says so in one sentence, before anything else', async () => {
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
  const args = ['--import', pretend, main, 'run']
  expect(await runToEnd(process.execPath, args)).toEqual({
    code: 2,
    stdout: '',
    stderr: `twotoken: ${unsupportedNode('20.20.2')}\n`,
  })
})

// Mistakes in the words of a user: exit 2, one clear sentence, nothing judged.
const usable = { mint: { url: 'http://127.0.0.1:9', apiKey: 'ac_live_made_up_for_a_test' } }

const cases: readonly [name: string, configuration: unknown, args: string, sentence: RegExp][] = [
  ['a configuration that is no YAML', 'mint: [', '', /twotoken\.yaml:\d+/],
  ['a misspelt key', { mnt: usable.mint }, '', /mnt.*did you mean mint|mnt.*\bmint\b/],
  ['an unknown id', usable, '--only MINT-4', /--only: unknown requirement "MINT-4".*did you mean MINT-\d+/],
  ['an unknown option', usable, '--olny MINT-01', /unknown option '--olny'.*--only/s],
  ['a choice that leaves nothing', usable, '--suite signaling --only MINT-01', /no requirement matches/],
  ['an --out that is a file', usable, '--out twotoken.yaml', /--out .*twotoken\.yaml cannot be written/],
]

test.concurrent.each(cases)('%s is exit 2 and a sentence', async (_, configuration, args, sentence) => {
  await using place = await createWorkplace(configuration)
  const { code, stdout, stderr } = await place.start(['run', ...args.split(' ').filter(Boolean)]).ended
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  await expect(place.results()).rejects.toThrow('ENOENT')
})
