import type { Cell } from './prove.ts'

// The baseline of whole runs: what every broken variant gets beside all other requirements of its role. It is kept in
// `whole-runs.md`, and `npm run proof -- --whole` says what differs from it.

const heading = [
  '| requirement | broken variant | its verdict | also failed by |',
  '| --- | --- | --- | --- |',
]

/** A row for each broken variant, as Markdown. */
export function renderWholeRuns(cells: readonly Cell[]): string {
  const rows = cells
    .filter(({ kind }) => kind === 'broken')
    .map(({ requirement, variant, result, accusedBy = [] }) =>
      `| ${requirement} | ${variant.replaceAll('|', '\\|')} | ${result.verdict} | ${accusedBy.join(', ')} |`.replace(
        '|  |',
        '| |',
      ),
    )
  return `${[...heading, ...rows.toSorted()].join('\n')}\n`
}

/** The rows of a new table that the baseline lacks, each with the baseline's row of the same variant. */
export function compareWholeRuns(baseline: string, table: string): string[] {
  const nameOf = (row: string) => row.split(/(?<!\\)\|/, 3).join('|')
  const before = new Map(baseline.split('\n').map((row) => [nameOf(row), row]))
  return table.split('\n').flatMap((row) => {
    const known = before.get(nameOf(row))
    return known === row ? [] : [`${known ?? 'not in the baseline'}\n  now ${row}`]
  })
}
