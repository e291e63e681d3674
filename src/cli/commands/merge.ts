import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { exitCodeOfOutcome } from '../../base/verdict.ts'
import { findCheck, loadCatalogue } from '../../catalogue/load-requirements.ts'
import { inertJson } from '../../reports/escape.ts'
import { mergeRuns } from '../../reports/merge-runs.ts'
import { readResults } from '../../reports/read-results.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { assertWritable, leakOf, writeRun } from '../../run/write-artefacts.ts'
import { type AskedReport, loadRunReports } from '../asked-reports.ts'
import type { Output } from '../output/output.ts'
import { summaryText } from '../output/summary.ts'

export interface MergeOptions {
  /** Result files, or folders with result files at any depth. */
  readonly paths: readonly string[]
  readonly out?: string
  readonly strict: boolean
  readonly json: boolean
  /** Reports besides those in the folder of the results. */
  readonly report?: readonly AskedReport[]
}

/**
 * `twotoken merge`: the shards of a run as one result, with the exit code of the whole run.
 * @throws TwotokenError `usage` for parts that are missing, unreadable or of different runs; `unwritable`
 */
export async function merge(
  { paths, out = 'twotoken-results', strict, json, report }: MergeOptions,
  {
    stdout,
    stderr,
    directory,
    color,
    columns,
  }: Output & Pick<RunEnvironment, 'directory' | 'color' | 'columns'>,
): Promise<number> {
  const renderAsked = await loadRunReports(report, directory)
  const files = (await Promise.all(paths.map((path) => resultFiles(resolve(directory, path))))).flat()
  const parts = await Promise.all(files.map(async (file) => ({ file, run: await readResults(file) })))
  const catalogue = await loadCatalogue()
  const merged = mergeRuns(parts, (id) => {
    const { title, role, level, clauses } = findCheck(id, catalogue)
    return { id, title, role, level, clauses }
  })
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

/** The file itself, or every `results.json` in the folder and the folders in it. */
async function resultFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new TwotokenError(
      'usage',
      `${path} does not exist: give a results.json, or a folder that contains some`,
      cause,
    )
  })
  if (!found.isDirectory()) return [path]
  const files = (await readdir(path, { recursive: true })).filter((file) =>
    /(^|[\\/])results\.json$/.test(file),
  )
  if (files.length === 0)
    throw new TwotokenError(
      'usage',
      `${path} contains no results.json: give the output folders of the shards`,
    )
  return files.toSorted().map((file) => join(path, file))
}
