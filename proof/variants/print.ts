import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { sliceOf, slices } from './cases.ts'
import { proveInProcesses } from './proof-process.ts'
import type { Cell } from './prove.ts'
import {
  compareWholeRuns,
  describeGap,
  renderCounts,
  renderTable,
  renderWholeRuns,
  summarizeProof,
} from './table.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    conforming: { type: 'string' },
    // "commit", or a number, to prove again what another commit has proved.
    slice: { type: 'string' },
    rest: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    out: { type: 'string', default: 'twotoken-results' },
  },
})

/** Zeros outside of a repository. */
async function readCommit(): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD']).catch(() => ({
    stdout: '00000000',
  }))
  return stdout.trim()
}

const print = (cell: Cell) => {
  const { requirement, kind, variant, result, holds, accusedBy = [] } = cell
  if (!holds) process.stdout.write(`GAP ${describeGap(cell)}\n`)
  else if (kind === 'broken' || values.verbose)
    process.stdout.write(
      `ok  ${requirement.padEnd(8)} ${result.verdict.padEnd(5)} ${kind} ${variant}${accusedBy.length === 0 ? '' : ` (also ${accusedBy.join(', ')})`}\n`,
    )
  if (values.verbose)
    for (const text of [
      result.reason,
      ...result.findings.map(({ message }) => message),
      JSON.stringify(result.observations),
    ])
      if (text !== null) process.stdout.write(`      ${text}\n`)
}

const slice =
  values.slice === 'commit'
    ? sliceOf(await readCommit())
    : values.slice === undefined
      ? undefined
      : Number(values.slice)
const begun = performance.now()
const proved = await proveInProcesses(
  {
    ids: positionals,
    conforming: values.conforming,
    slice,
    isRest: values.rest,
    isWhole: values.whole,
  },
  Math.max(2, availableParallelism()),
  ({ cells }) => cells.forEach(print),
)
const cells = proved.flatMap((one) => one.cells)
if (cells.length === 0) {
  const asked = [...positionals, values.conforming ?? []].flat().join('", "')
  process.stderr.write(
    `proof: no requirement, role, variant or proof is called "${asked}"; npm run proof -- --list lists the proofs\n`,
  )
  process.exit(2)
}

cells.sort(
  (a, b) =>
    a.requirement.localeCompare(b.requirement) ||
    a.kind.localeCompare(b.kind) ||
    a.variant.localeCompare(b.variant),
)
await mkdir(values.out, { recursive: true })
const table = renderTable(cells)
process.stdout.write(`\n${table}\n`)
await writeFile(`${values.out}/proof.md`, table)
await writeFile(
  `${values.out}/proof.json`,
  `${JSON.stringify({ summary: summarizeProof(cells), cases: proved.map(({ name, seconds }) => ({ name, seconds })), cells }, null, 2)}\n`,
)
if (values.whole) {
  const whole = renderWholeRuns(cells)
  await writeFile(`${values.out}/whole-runs.md`, whole)
  const baseline = await readFile(join(import.meta.dirname, 'whole-runs.md'), 'utf8').catch(() => null)
  if (baseline === null)
    process.stdout.write('there is no baseline yet: put whole-runs.md into proof/variants\n')
  else
    for (const row of compareWholeRuns(baseline, whole))
      process.stdout.write(`differs from whole-runs.md: ${row}\n`)
}
const { gaps } = summarizeProof(cells)
const seconds = (performance.now() - begun) / 1000
process.stdout.write(
  `${renderCounts(cells)}${slice === undefined ? '' : `; slice ${slice} of ${slices} of the conforming pairs (--slice ${slice})`}; the table is in ${values.out}/proof.md\n` +
    `${proved.length} cases in ${Math.round(seconds)} s, ${(seconds / Math.max(1, proved.length)).toFixed(2)} s each\n`,
)
process.exitCode = gaps === 0 ? 0 : 1
