import type { CheckResult } from '../../src/requirement/run.ts'
import type { Cell } from './prove.ts'

/** The summary of the proof: how many broken variants were caught, how many others failed. */
export interface ProofSummary {
  readonly requirements: number
  readonly caught: number
  readonly broken: number
  readonly conforming: number
  readonly accused: readonly string[]
  readonly degenerate: number
  readonly gaps: number
}

export function summarizeProof(cells: readonly Cell[]): ProofSummary {
  const of = (kind: Cell['kind']) => cells.filter((cell) => cell.kind === kind)
  const variants = (kind: Cell['kind']) => new Set(of(kind).map(({ variant }) => variant))
  const accused = of('conforming').filter(({ result }) => result.verdict === 'fail')
  return {
    requirements: new Set(cells.map(({ requirement }) => requirement)).size,
    caught: of('broken').filter(({ holds }) => holds).length,
    broken: of('broken').length,
    conforming: variants('conforming').size,
    accused: [...new Set(accused.map(({ variant }) => variant))],
    degenerate: variants('degenerate').size,
    gaps: cells.filter(({ holds }) => !holds).length,
  }
}

/** The table of requirements and variants, as Markdown. */
export function renderTable(cells: readonly Cell[]): string {
  const summary = summarizeProof(cells)
  const requirements = [...new Set(cells.map(({ requirement }) => requirement))]
  const rows = requirements.map((id) => {
    const own = cells.filter(({ requirement }) => requirement === id)
    const broken = own.filter(({ kind }) => kind === 'broken')
    const others = own.filter(({ kind }) => kind === 'conforming')
    const list = broken.map(
      ({ variant, result, holds }) => `${holds ? '' : '**GAP** '}${variant} (${result.verdict})`,
    )
    const reference = own.find(({ kind }) => kind === 'reference')?.result.verdict ?? ''
    const unaccused = others.filter(({ holds }) => holds).length
    return `| ${id} | ${reference} | ${unaccused} of ${others.length} | ${list.join('; ').replaceAll('|', '\\|')} |`
  })
  const gaps = cells.filter(({ holds }) => !holds).map((cell) => `- ${describeGap(cell)}`)
  return [
    '# Proof of the suite',
    '',
    `${summary.caught} of ${summary.broken} broken variants caught by their own requirement, ` +
      `${summary.accused.length} of ${summary.conforming} conforming variants accused, ` +
      `${summary.degenerate} degenerate peers, ${summary.gaps} gaps.`,
    '',
    '| requirement | reference | conforming variants not accused | broken variants (verdict) |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    ...(gaps.length === 0 ? [] : ['## Gaps', '', ...gaps, '']),
  ].join('\n')
}

/** The last line of the proof, which says whether it is done. */
export function renderCounts(cells: readonly Cell[]): string {
  const { caught, broken, conforming, accused, degenerate, gaps } = summarizeProof(cells)
  return (
    `${caught} of ${broken} broken variants caught, ${accused.length} of ${conforming} conforming variants accused, ` +
    `${degenerate} degenerate peers, ${gaps} ${gaps === 1 ? 'gap' : 'gaps'}`
  )
}

/** Why a requirement came to its verdict: its reason, and what it found. */
export function whyOf({ reason, findings }: Pick<CheckResult, 'reason' | 'findings'>): string {
  return [reason, ...findings.map(({ message }) => message)].filter((text) => text !== null).join('; ')
}

/** One gap in words: what was judged, what came out, and why. */
export function describeGap({ requirement, variant, kind, expected, result }: Cell): string {
  const what = expected.includes(result.verdict)
    ? `${result.verdict}, but without advice`
    : `${result.verdict} instead of ${expected.join(' or ')}`
  return `${requirement} on ${kind} variant "${variant}": ${what} (${whyOf(result)})`
}

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
