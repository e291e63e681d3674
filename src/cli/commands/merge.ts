import { dirname, join, resolve } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { assertNoSecret } from '../../base/evidence/scan.ts'
import { onOneLine } from '../../base/printable.ts'
import { exitCodeOfOutcome } from '../../base/verdict.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { findCheck, loadCatalogue } from '../../catalogue/load-requirements.ts'
import { inertJson, writeJson } from '../../reports/escape.ts'
import { nameOf } from '../../reports/history/history.ts'
import { renderHistoryHtml } from '../../reports/history/html.ts'
import { findResults } from '../../reports/history/read-nights.ts'
import { mergeRuns } from '../../reports/merge-runs.ts'
import { readResults } from '../../reports/read-results.ts'
import type { RunResults } from '../../reports/results.ts'
import { headingOf } from '../../requirement/define.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { assertWritable, leakOf, writeRun } from '../../run/write-artefacts.ts'
import { type AskedReport, loadRunReports } from '../asked-reports.ts'
import type { Output } from '../output/output.ts'
import { summaryText } from '../output/summary.ts'
import { readHistory } from './history.ts'

export interface MergeOptions {
  /** Result files, or folders with result files at any depth. */
  readonly paths: readonly string[]
  readonly out?: string
  readonly strict: boolean
  readonly json: boolean
  readonly report?: readonly AskedReport[]
}

/**
 * `twotoken merge`: the shards of a run or of a storm as one result, with the exit code of the whole.
 * @throws TwotokenError `usage` for parts that are missing, unreadable or of different runs; `unwritable`
 */
export async function merge(
  { paths, out = 'twotoken-results', strict, json, report }: MergeOptions,
  environment: Output & Pick<RunEnvironment, 'directory' | 'color' | 'columns'>,
): Promise<number> {
  const { stdout, stderr, directory, color, columns } = environment
  const renderAsked = await loadRunReports(report, directory)
  const files = (await Promise.all(paths.map((path) => findResults(resolve(directory, path))))).flat()
  const parts = await Promise.all(files.map(async (file) => ({ file, run: await readResults(file) })))
  const storms = figuresOfStorms(parts)
  if (storms.length > 0) {
    const { mergeStorms } = await import('./storm.ts')
    return await mergeStorms({ parts: storms, out, strict, json, report }, environment)
  }
  const catalogue = await loadCatalogue()
  const merged = mergeRuns(parts, (id) => headingOf(findCheck(id, catalogue)))
  const folder = resolve(directory, out)
  await assertWritable(folder)
  const {
    results,
    json: text,
    reportPath,
    failure,
  } = await writeRun(folder, merged, createRedactor(), renderAsked)
  if (json) stdout.write(inertJson(text))
  ;(json ? stderr : stdout).write(summaryText(results, { color, columns, reportPath }))
  if (failure !== null) throw failure
  const leak = leakOf(results)
  if (leak !== null) throw leak
  const warned = results.checks.some(({ verdict, waived }) => verdict === 'warn' && waived !== true)
  return results.outcome === 'conformant' && strict && warned ? 1 : exitCodeOfOutcome[results.outcome]
}

/**
 * The files with the figures of storms, which are added up: their verdicts are none on all. Empty where all are runs.
 * @throws TwotokenError `usage` where only some are storms
 */
function figuresOfStorms(
  parts: readonly { readonly file: string; readonly run: RunResults }[],
): readonly string[] {
  const isStorm = ({ run }: { readonly run: RunResults }) =>
    run.checks.length > 0 && run.checks.every(({ id }) => id.startsWith('LOAD-'))
  const storms = parts.filter(isStorm)
  const other = parts.find((part) => !isStorm(part))
  const [first] = storms
  if (first !== undefined && other !== undefined)
    throw new TwotokenError(
      'usage',
      `${first.file} is of a storm, and ${other.file} of a run: merge storms and runs apart`,
    )
  return storms.map(({ file }) => join(dirname(file), 'storm.json'))
}

export interface TargetsOptions {
  readonly paths: readonly string[]
  readonly out?: string
  readonly json: boolean
}

/**
 * `twotoken merge --targets`: the last runs of different targets side by side. Returns the worst exit code of them, and 3 where
 * a file had to be left out.
 * @throws TwotokenError `usage`, `unwritable` or `secret-in-output`
 */
export async function mergeTargets(
  { paths, out = 'twotoken-results', json }: TargetsOptions,
  { stdout, stderr, directory }: Output & Pick<RunEnvironment, 'directory'>,
): Promise<number> {
  const history = await readHistory(paths, directory)
  const files = { 'targets.html': renderHistoryHtml(history), 'targets.json': writeJson(history) }
  for (const [name, text] of Object.entries(files)) {
    assertNoSecret(name, text, createRedactor())
    await writeFileWhole(join(resolve(directory, out), name), text)
  }
  if (json) stdout.write(files['targets.json'])
  const codes = history.targets.map((target) => {
    const { outcome = 'incomplete' } = target.runs.at(-1) ?? {}
    const violated = target.requirements.filter(({ verdicts }) => verdicts.at(-1) === 'fail')
    const ids = violated.length === 0 ? '' : `: ${violated.map(({ id }) => id).join(', ')}`
    ;(json ? stderr : stdout).write(`${onOneLine(`${nameOf(target)} is ${outcome}${ids}`)}\n`)
    return exitCodeOfOutcome[outcome]
  })
  for (const { file, why } of history.unread) {
    stderr.write(`left out: ${onOneLine(`${file} ${why}`)}\n`)
    codes.push(exitCodeOfOutcome.incomplete)
  }
  return [4, 1, 3].find((code) => codes.includes(code)) ?? 0
}
