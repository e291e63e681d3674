import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { runProgram } from '../fixtures/package/run-program.ts'

// `npm run check:change`: lint, types, and in every project the tests that import a changed file. `-- REV` names where the change
// begins; without it, it is what is not committed.

const root = join(import.meta.dirname, '..')
const [since = 'HEAD'] = process.argv.slice(2)
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const changed = [
  ...git('diff', '--name-only', '--merge-base', since),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => existsSync(join(root, file)))

/** No import leads from the catalogue's tests to its requirements and pages. */
const isCatalogued = (file: string) => /^(?:suites|docs)[/]/.test(file)
const catalogueTests = [
  'docs/generator/pages.test.ts',
  'docs/generator/prose.test.ts',
  'src/catalogue/load-requirements.test.ts',
]

const folder = mkdtempSync(join(tmpdir(), 'twotoken-change-'))
const report = join(folder, 'tests.json')
try {
  process.exitCode = await checkChange([
    ...changed.filter((file) => file.endsWith('.ts')),
    ...(changed.some(isCatalogued) ? catalogueTests : []),
  ])
} finally {
  rmSync(folder, { recursive: true })
}

async function checkChange(sources: readonly string[]): Promise<number> {
  for (const program of ['biome check --error-on-warnings .', 'knip', 'tsc --noEmit']) {
    const code = await runProgram(program, [])
    if (code !== 0) return code
  }
  if (sources.length === 0) return 0
  const related = 'vitest related --run --passWithNoTests --reporter=default --reporter=json'
  const code = await runProgram(related, [`--outputFile.json=${report}`, ...sources])
  if (code !== 0) return code
  const missed = sources.filter((file) => file.endsWith('.test.ts') && !listRun().has(file))
  if (missed.length === 0) return 0
  process.stderr.write(
    `no project of vitest.config.ts runs ${missed.join(', ')}: run them by npm run check -- packed or site, or npm run proof -- peers\n`,
  )
  return 1
}

/** The test files that ran. */
function listRun(): ReadonlySet<string> {
  if (!existsSync(report)) return new Set()
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: { name: string }[] }
  return new Set(testResults.map(({ name }) => relative(root, name).replaceAll('\\', '/')))
}
