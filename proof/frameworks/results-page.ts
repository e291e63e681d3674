import { readFile } from 'node:fs/promises'
import { readAddress } from '../../docs/generator/address.ts'
import { findFixPage } from '../../src/reports/fix-pages.ts'
import type { RunResults } from '../../src/reports/results.ts'
import { foldersOf, type Mistake, readMistakes } from './applications.ts'
import { type Framework, frameworks } from './frameworks.ts'

// `docs/results.md`: what runs said of each framework, and which mistakes they catch.

export const resultsFile = new URL('../../docs/results.md', import.meta.url)

/** The rows of the page that runs have written, by their first cell: a framework, or the requirement of a warning. */
export type Rows = ReadonlyMap<string, string>

export async function readRows(): Promise<Rows> {
  const page = await readFile(resultsFile, 'utf8')
  const [judged = ''] = page.split('\n## Mistakes')
  return new Map([...judged.matchAll(/^\|([^|]+).*$/gm)].map(([row, name = '']) => [name, row]))
}

/** The rows of one run: that of its framework, and one for each warning that no framework before it has. */
export async function rowsOf(
  name: string,
  framework: Framework,
  version: string,
  run: Pick<RunResults, 'checks' | 'startedAt' | 'summary'>,
): Promise<Rows> {
  const { title } = framework
  const warned = run.checks.filter(({ verdict }) => verdict === 'warn')
  const first = (id: string) => Object.values(frameworks).find(({ advised }) => advised.includes(id))
  const apps = `https://github.com/${await readAddress()}/tree/HEAD/proof/frameworks/apps`
  const cells = [
    title,
    foldersOf(name, framework)
      .map((folder) => `[${folder}](${apps}/${folder})`)
      .join(', '),
    version,
    run.startedAt.slice(0, 10),
    String(run.summary.pass),
    warned.map(({ id }) => id).join(', '),
  ]
  return new Map([
    [title, rowOf(cells)],
    ...warned.flatMap(({ id, findings }) => {
      if (first(id) !== framework) return []
      const [advice = ''] = findings.flatMap((one) => (one.seen === undefined ? [] : one.advice))
      return [[id, rowOf([id, advice, linkFix(id)])] as const]
    }),
  ])
}

/** The page: `rows` in the order of `frameworks`, then the warnings by their ids. */
export async function renderResultsPage(rows: Rows): Promise<string> {
  const titles = Object.values(frameworks).map(({ title }) => title)
  const warnings = [...rows.keys()].filter((key) => /^[A-Z]+-\d+$/.test(key)).toSorted()
  const mistakes = await commonMistakes()
  return `# Results

\`npm run proof -- frameworks\` judges token routes written as each framework documents them. Each is conformant.
The proof then adds the usual mistakes, one at a time, and fails unless each is caught.

|framework|code|version|date|requirements passed|warnings|
|---|---|---|---|---|---|
${titles.map((title) => rows.get(title) ?? rowOf([title, 'not run'])).join('\n')}

Warnings, with what to change:

|warning|change|fix|
|---|---|---|
${warnings.map((id) => rows.get(id)).join('\n')}

## Mistakes

Shared by four frameworks or more:

|the route …|caught by|fix|
|---|---|---|
${mistakes.map(({ does, caught }) => rowOf([does, caught.join(', '), linkFix(caught[0] ?? '')])).join('\n')}
`
}

async function commonMistakes(): Promise<readonly Mistake[]> {
  const all = await Promise.all(
    Object.entries(frameworks).map(([name, framework]) => readMistakes(name, framework)),
  )
  const bySentence = Map.groupBy(all.flat(), ({ does }) => does)
  return [...bySentence.values()].flatMap((same) => (same.length < 4 ? [] : same.slice(0, 1)))
}

function linkFix(id: string): string {
  const page = findFixPage(id)
  return page === null ? '' : `[${page.title}](fixes/${page.file})`
}

function rowOf(cells: readonly string[]): string {
  return `|${cells.join('|')}|`
}
