import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// `npm run house`: lines of TypeScript by room, each beside its ceiling. `-- --strict` exits with 1 above one.
// Tests are `*.test.ts`, `*.docker.ts` and all of a folder `testing`, whatever room they are in.

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .slice(0, -1)
const sources = files.filter((file) => file.endsWith('.ts'))
const isTest = (file: string) => /\.(test|docker)\.ts$|(^|\/)testing\//.test(file)
const lines = new Map(
  sources.map((file) => [file, readFileSync(join(root, file), 'utf8').split('\n').length - 1]),
)

function sum(some: readonly string[]): number {
  return some.reduce((total, file) => total + (lines.get(file) ?? 0), 0)
}

function room(folder: string): number {
  return sum(sources.filter((file) => file.startsWith(`${folder}/`) && !isTest(file)))
}

const { scripts, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const counts: readonly (readonly [what: string, count: number, ceiling: number])[] = [
  ['src', room('src'), 38_000],
  ['audit/src', room('audit/src'), 10_500],
  ['audit/proof', room('audit/proof'), 3_000],
  ['suites', room('suites'), 17_000],
  ['fixtures', room('fixtures'), 10_000],
  ['proof', room('proof'), 3_500],
  ['tests', sum(sources.filter(isTest)), 27_000],
  ['all', sum(sources), 112_000],
  ['npm scripts', Object.keys(scripts).length, 15],
  ['files', files.length, 1_500],
  ['runtime dependencies', Object.keys(dependencies).length, 12],
]

for (const [what, count, ceiling] of counts) {
  const mark = count > ceiling ? '  above' : ''
  process.stdout.write(
    `${what.padEnd(21)}${String(count).padStart(8)}${String(ceiling).padStart(9)}${mark}\n`,
  )
}
if (process.argv.includes('--strict') && counts.some(([, count, ceiling]) => count > ceiling))
  process.exitCode = 1
