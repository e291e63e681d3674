import { conditionalSpreadsOf, type LongFunction, longFunctionsOf } from './functions.ts'
import { findHeavyOpenings } from './openings.ts'
import { countRepeatedLines } from './repeated.ts'
import { importedBy, isProduct, isTest, listSources, longFunctionLines, type Source } from './sources.ts'
import { measureWay } from './ways.ts'

/** Lines below which a file with one importer is a crumb. */
const crumbLines = 30

const sources = listSources()
const product = sources.filter(isProduct)
const linesOf = (of: readonly Source[]) => of.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)

const importers = new Map<string, Set<string>>()
for (const source of sources)
  for (const target of importedBy(source))
    importers.set(target, (importers.get(target) ?? new Set()).add(source.path))
const crumbs = product.filter(
  (source) => linesOf([source]) < crumbLines && importers.get(source.path)?.size === 1,
)
const long = product
  .flatMap((source) => longFunctionsOf(source, longFunctionLines))
  .toSorted((a, b) => b.lines - a.lines)
const conditional = product.flatMap(conditionalSpreadsOf)
const openings = sources.flatMap(findHeavyOpenings)

const rows: [string, number][] = [
  ['lines of src and audit without tests', linesOf(product)],
  ['files of src and audit without tests', product.length],
  [`files under ${crumbLines} lines with one importer`, crumbs.length],
  [`functions over ${longFunctionLines} lines`, long.length],
  ['conditional spreads', conditional.length],
  ['comments and titles that begin with a relative clause', openings.length],
  ['lines of suites', linesOf(sources.filter(({ path }) => path.startsWith('suites/')))],
  ['lines of tests', linesOf(sources.filter(({ path }) => isTest(path)))],
  ['lines of src and audit in runs of eight that stand elsewhere as well', countRepeatedLines(product)],
]
const ways: [string, string][] = [
  ['a run', 'src/cli/commands/run.ts'],
  ['the thread that reads an audited file', 'audit/src/threads/reading.worker.ts'],
  ['a verified contract', 'src/cli/commands/verify.ts'],
  ['an exploration', 'src/cli/commands/explore.ts'],
]
for (const [what, count] of rows) process.stdout.write(`${String(count).padStart(7)}  ${what}\n`)
for (const [what, entry] of ways) {
  const { files, folders, deepest } = measureWay(entry, sources)
  process.stdout.write(
    `${String(files).padStart(7)}  files loaded by ${what}, in ${folders} folders, at most ${deepest} deep\n`,
  )
}

const isWhole = process.argv.includes('--whole')
const shown = (functions: readonly LongFunction[]) =>
  functions.map(({ path, line, name, lines }) => `  ${lines} lines  ${name}  ${path}:${line}`)
if (isWhole)
  process.stdout.write(
    [
      `\nfunctions over ${longFunctionLines} lines:`,
      ...shown(long),
      `\nfiles under ${crumbLines} lines with one importer:`,
      ...crumbs.map(({ path }) => `  ${path}`),
      '\nheavy openings:',
      ...openings.map(({ path, line, text }) => `  ${path}:${line}: ${text}`),
      '',
    ].join('\n'),
  )
