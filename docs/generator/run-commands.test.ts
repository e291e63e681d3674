import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildZip } from '../../audit/src/testing/build-zip.ts'
import { startMint } from '../../fixtures/mint/server.ts'
import { findCommands } from './documented-commands.ts'

const root = join(import.meta.dirname, '../..')
const mains: Readonly<Record<string, string>> = {
  twotoken: join(root, 'src/cli/main.ts'),
  'twotoken-audit': join(root, 'src/cli/audit-main.ts'),
}
const pages = ['README.md', ...(await readdir(join(root, 'docs'))).map((file) => `docs/${file}`)].filter(
  (file) => file.endsWith('.md'),
)
const commands = (
  await Promise.all(pages.map(async (page) => findCommands(page, await readFile(join(root, page), 'utf8'))))
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
  ['twotoken verify backend --config twotoken.yaml --broker-url', 'src/cli/commands/verify-broker.test.ts'],
  ['npm run proof -- audit', 'audit/proof/run.ts'],
  ['npm run proof -- fixes', 'docs/fixes/prove.ts'],
  ['npm run proof', 'proof/variants/proof-of-mint-and-backend.test.ts'],
  ['npm run check', '.ci/run'],
  ['npm run docs', 'docs/generator/pages.test.ts'],
  ['npm run proof -- mask', 'src/base/evidence/testing/prove.ts'],
  ['npm run check -- containers', 'src/cli/containers/run.docker.ts'],
]

const texts = [...new Set(commands.map(({ words }) => words.join(' ')))]
// `verify` writes its results where `run` does, and what the pages do with them is about those of a run.
const isVerify = (text: string) => Number(text.startsWith('twotoken verify '))
const here = texts
  .filter((text) => !elsewhere.some(([start]) => text.startsWith(start)))
  .toSorted((left, right) => isVerify(right) - isVerify(left))

test.each(elsewhere)('%s is run by %s', (start, file) => {
  expect(texts.some((text) => text.startsWith(start))).toBe(true)
  expect(existsSync(join(root, file))).toBe(true)
})

/** The folder that the pages have in mind: a configuration, builds, and the results of an older run. */
async function readersFolder(mint: { readonly url: string; readonly apiKey: string }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-docs-'))
  const script = Buffer.from('export const route = "/calling/token"\n')
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/app.js'), script)
  await writeFile(join(folder, 'app-release.apk'), buildZip([{ name: 'assets/app.js', bytes: script }]))
  await writeFile(join(folder, 'bundles.txt'), 'app-release.apk\ndist\n')
  await writeFile(join(folder, 'audit-baseline.json'), '{ "findings": [] }\n')
  await writeFile(
    join(folder, 'twotoken.yaml'),
    JSON.stringify({ name: 'acme', mint, bundle: { paths: ['dist'] } }),
  )
  for (const name of ['old', 'nights/1', 'eu', 'us'])
    await cp(join(root, 'src/reports/testing/frozen-run.json'), join(folder, name, 'results.json'))
  await cp(join(root, 'src/reports/testing/frozen-run.json'), join(folder, 'twotoken-results/results.json'))
  return folder
}

function ended(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [mains[program] ?? program, ...args],
      { cwd, maxBuffer: 1 << 28 },
      (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

test('every other command of the pages does what it says', async () => {
  expect(here.length).toBeGreaterThan(15)
  await using mint = await startMint()
  const folder = await readersFolder({ url: mint.url, apiKey: mint.keys.active })
  const filled: Readonly<Record<string, string>> = {
    ID: 'MINT-04',
    $CALLING_TOKEN: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  }
  try {
    for (const text of here) {
      const [program = '', ...words] = text.split(' ')
      if (program === 'twotoken' && words.length < 2) continue
      const { code, stdout, stderr } = await ended(
        program,
        words.map((word) => filled[word] ?? word),
        folder,
      )
      // A verdict of any kind: never wrong usage, and never a failure of the suite.
      expect(
        [0, 1, 3],
        `${text}: ${stderr} after ${here.slice(0, here.indexOf(text)).join(' ; ')}`,
      ).toContain(code)
      expect(stderr, text).not.toMatch(/^\s+at /m)
      const out = words[words.indexOf('--out') + 1] ?? ''
      if (words.includes('--out')) expect(existsSync(join(folder, out)), text).toBe(true)
      else expect(stdout, text).not.toBe('')
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
