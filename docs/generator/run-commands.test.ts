import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../audit/src/testing/audit-files.ts'
import { buildZip } from '../../audit/src/testing/build-archives.ts'
import { startMint } from '../../fixtures/mint/server.ts'
import { runToEnd } from '../../fixtures/package/testing/run-to-end.ts'
import { main } from '../../src/cli/testing/run-command.ts'
import { frozenText } from '../../src/reports/testing/frozen-run.ts'
import { findCommands } from './documented-commands.ts'

const root = join(import.meta.dirname, '../..')
const mains: Readonly<Record<string, string>> = {
  twotoken: main,
  'twotoken-audit': join(root, 'src/cli/audit-main.ts'),
}
const ended = (program: string, args: readonly string[], cwd: string) =>
  runToEnd(process.execPath, [mains[program] ?? program, ...args], { cwd })
const pages = ['README.md', ...(await readdir(join(root, 'docs'))).map((file) => `docs/${file}`)].filter(
  (file) => file.endsWith('.md'),
)
const commands = (
  await Promise.all(pages.map(async (page) => findCommands(await readFile(join(root, page), 'utf8'))))
).flat()

/**
 * Commands that need more than a folder and a mint. Another test runs each of them, or the command is a test
 * itself.
 */
const elsewhere: readonly (readonly [start: string, test: string])[] = [
  ['twotoken explore', 'src/cli/commands/explore.test.ts'],
  ['twotoken serve', 'src/cli/commands/serve.test.ts'],
  ['twotoken init', 'src/cli/commands/init.test.ts'],
  ['twotoken detect', 'src/cli/commands/detect.test.ts'],
  ['twotoken run --reference --containers', 'src/cli/containers/run.docker.ts'],
  ['twotoken run --watch', 'src/cli/commands/watch.test.ts'],
  ['twotoken run --observe', 'src/cli/commands/observe.test.ts'],
  ['twotoken run --suite client', 'src/cli/commands/run.test.ts'],
  ['twotoken verify mint --url', 'src/cli/commands/verify-providers.test.ts'],
  ['twotoken verify backend --url', 'src/cli/commands/verify-providers.test.ts'],
  ['twotoken verify backend --config twotoken.yaml --broker-url', 'src/cli/commands/verify.test.ts'],
  ['npm run proof -- audit', 'audit/proof/run.ts'],
  ['npm run proof -- fixes', 'docs/fixes/prove.ts'],
  ['npm run proof', 'proof/variants/proof-of-mint-backend-and-bundle.test.ts'],
  ['npm run check', '.ci/run'],
  ['npm run docs', 'docs/generator/pages.test.ts'],
  ['npm run proof -- mask', 'src/base/evidence/testing/prove.ts'],
  ['npm run check -- containers', 'src/cli/containers/run.docker.ts'],
]

const texts = [...new Set(commands.map((words) => words.join(' ')))]
// `verify` writes its results where `run` does, and what the pages do with them is about those of a run.
const isVerify = (text: string) => Number(text.startsWith('twotoken verify '))
const isElsewhere = (text: string) => elsewhere.some(([start]) => text.startsWith(start))
/** A command alone, without the paths that it needs, is run nowhere. */
const isAlone = (text: string) => /^twotoken \S+$/.test(text)
const here = texts
  .filter((text) => !isElsewhere(text) && !isAlone(text))
  .toSorted((left, right) => isVerify(right) - isVerify(left))

test.each(elsewhere)('%s is run by %s', (start, file) => {
  expect(texts.some((text) => text.startsWith(start))).toBe(true)
  expect(existsSync(join(root, file))).toBe(true)
})

/** The folder that the pages have in mind: a configuration, builds, and the results of an older run. */
function readersFolder(mint: { readonly url: string; readonly apiKey: string }) {
  const script = Buffer.from('export const route = "/calling/token"\n')
  const results = ['old', 'nights/1', 'eu', 'us', 'twotoken-results']
  return folderOf({
    'dist/app.js': script,
    'app-release.apk': buildZip([{ name: 'assets/app.js', bytes: script }]),
    'bundles.txt': 'app-release.apk\ndist\n',
    'audit-baseline.json': '{ "findings": [] }\n',
    'twotoken.yaml': JSON.stringify({ name: 'acme', mint, bundle: { paths: ['dist'] } }),
    ...Object.fromEntries(results.map((name) => [`${name}/results.json`, frozenText])),
  })
}

const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

test.each(texts.filter((text) => isElsewhere(text) || isAlone(text)))(
  '%s is a command, and takes these options',
  async (text) => {
    const [program = '', name = '', script = ''] = text.split(' ')
    if (program === 'npm') return expect(Object.keys(scripts)).toContain(script)
    const { stdout: help } = await ended(program, [name, '--help'], root)
    expect(help).toContain(`Usage: ${program} ${name} `)
    for (const option of text.match(/ --[a-z][\w-]*/g) ?? [])
      expect(help).toMatch(new RegExp(`${option}(?![\\w-])`))
  },
)

test('every other command of the pages does what it says', async () => {
  expect(here.length).toBeGreaterThan(15)
  await using mint = await startMint()
  await using made = await readersFolder({ url: mint.url, apiKey: mint.keys.active })
  const { folder } = made
  const filled: Readonly<Record<string, string>> = {
    ID: 'MINT-04',
    $CALLING_TOKEN: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  }
  for (const text of here) {
    const [program = '', ...words] = text.split(' ')
    const given = words.map((word) => filled[word] ?? word)
    const { code, stdout, stderr } = await ended(program, given, folder)
    const before = here.slice(0, here.indexOf(text)).join(' ; ')
    // A verdict of any kind: never wrong usage, and never a failure of the suite.
    expect([0, 1, 3], `${text}: ${stderr} after ${before}`).toContain(code)
    expect(stderr, text).not.toMatch(/^\s+at /m)
    const out = words[words.indexOf('--out') + 1] ?? ''
    if (words.includes('--out')) expect(existsSync(join(folder, out)), text).toBe(true)
    else expect(stdout, text).not.toBe('')
  }
})
