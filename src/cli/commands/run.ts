import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodeOf, interruptedExitCode } from '../../base/errors.ts'
import { createLabeller } from '../../base/evidence/hide.ts'
import { onOneLine } from '../../base/printable.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { type AskedReport, loadReports, runFormats } from '../../reports/formats.ts'
import { hideResults } from '../../reports/hide-results.ts'
import type { RunResults } from '../../reports/results.ts'
import { type Assembled, assembleResults, listLimits } from '../../run/assemble-results.ts'
import { type Execution, executePlan } from '../../run/execute.ts'
import type { RunEnvironment, RunOptions } from '../../run/options.ts'
import { listPartNotes, nameLogFiles } from '../../run/part-logs.ts'
import { prepareRun } from '../../run/prepare.ts'
import { writeRun } from '../../run/write-artefacts.ts'
import { exitCodeOfResults, printResults } from '../output/output.ts'
import { showRunProgress } from '../output/run-progress.ts'

export interface RunCommandOptions extends RunOptions {
  readonly report?: readonly AskedReport[]
}

/** `twotoken run`: judges what the configuration describes, or the embedded reference. Returns the exit code. */
export async function run(options: RunCommandOptions, environment: RunEnvironment): Promise<number> {
  const interruption = new AbortController()
  environment.onInterrupt(() => interruption.abort())
  const { code } = await runOnce(options, environment, interruption.signal)
  return code
}

/** One run, from its preparation to the report; `signal` interrupts it. */
export async function runOnce(
  options: RunCommandOptions,
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<{ code: number; results: RunResults | null }> {
  const { stderr } = environment
  const renderAsked = await loadReports(options.report, runFormats, environment.directory)
  await using stack = new AsyncDisposableStack()
  const plan = await prepareRun(options, environment, signal, stack)
  if (plan === null) {
    stderr.write('twotoken: interrupted before any requirement was judged\n')
    return { code: interruptedExitCode, results: null }
  }
  const progress = showRunProgress(stderr, () => performance.now())
  const onJudged = async (soFar: Execution) => {
    const { results } = await assembleResults(plan, soFar, options.config)
    await writeRun(plan.out, results)
  }
  const execution = await executePlan(plan, options, environment, { progress, signal, onJudged })
  const assembled = await assembleResults(plan, execution, options.config)
  const { parts, results } = assembled
  await writeFullEvidence(plan.out, options.evidence === 'full' ? assembled : null)
  const written = await writeRun(plan.out, results, (run) => ({
    ...nameLogFiles(parts),
    ...renderAsked(run),
  }))

  printResults(results, written, environment, { isJson: options.json })
  for (const line of listLimits(execution.metLimits)) stderr.write(`${line}\n`)
  for (const note of listPartNotes(parts)) stderr.write(`${onOneLine(note)}\n`)
  if (written.failure !== null) throw written.failure
  if (signal.aborted) return { code: interruptedExitCode, results }
  if (execution.failure !== null) {
    stderr.write(`twotoken: ${onOneLine(execution.failure.message)}\n`)
    if (results.outcome !== 'nonconformant') return { code: exitCodeOf(execution.failure), results }
  }
  return { code: exitCodeOfResults(results, options.strict), results }
}

/** Writes what reports mask, for the user of this machine alone. A run that was not asked for it leaves none of an earlier one. */
async function writeFullEvidence(folder: string, assembled: Assembled | null): Promise<void> {
  const file = join(folder, 'evidence.json')
  if (assembled === null) return await rm(file, { force: true })
  const { checks, exchanges, startedAt } = hideResults(assembled.judged, createLabeller(assembled.secrets))
  const findings = checks.map(({ id, reason, findings: found, observations }) => ({
    id,
    reason,
    findings: found,
    observations,
  }))
  const text = `${JSON.stringify({ startedAt, findings, exchanges }, null, 2)}\n`
  await writeFileWhole(file, text, 0o600)
}
