import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { createFingerprintKey, type Redactor, redactorOf } from '../../base/evidence/redact.ts'
import { redactValues } from '../../base/evidence/redact-values.ts'
import type { ServerCertificate } from '../../base/tls/certificates.ts'
import { exitCodeOfOutcome } from '../../base/verdict.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { type RunResults, resultsOf } from '../../reports/results.ts'
import { marked, withDetection } from '../../run/detected-profile.ts'
import { certificateOfDouble } from '../../run/double-certificate.ts'
import { startObservation } from '../../run/guide-device.ts'
import { interruptionOf } from '../../run/interruption.ts'
import type { RunEnvironment, RunOptions } from '../../run/options.ts'
import { inOrder } from '../../run/order-results.ts'
import { logFiles, type PartLog, partLogs, partNotes, withPartNotes } from '../../run/part-logs.ts'
import { type Plan, prepared } from '../../run/prepare.ts'
import { createProgress } from '../../run/progress.ts'
import { startRunners } from '../../run/start-runners.ts'
import { applyWaivers } from '../../run/waivers.ts'
import type { ContractRun } from '../../run/with-contracts.ts'
import type { CheckReport } from '../../run/worker-protocol.ts'
import { artefactsOf, keep, leakOf } from '../../run/write-artefacts.ts'
import { summaryText } from '../output/summary.ts'

interface Judged {
  readonly results: RunResults
  /** Knows every secret of the run. */
  readonly redactor: Redactor
  readonly parts: readonly PartLog[]
  /** Why the worker ended early, where it did. */
  readonly failure: unknown
}

const interruptedExitCode = 130

/** `twotoken run`: judges what the configuration describes, or the embedded reference. Returns the exit code. */
export async function run(options: RunOptions, environment: RunEnvironment): Promise<number> {
  const { stdout, stderr } = environment
  const interruption = new AbortController()
  environment.onInterrupt(() => interruption.abort())
  await using stack = new AsyncDisposableStack()
  const plan = await prepared(options, environment, interruption.signal, stack)
  if (plan === null) {
    stderr.write('twotoken: interrupted before anything was judged\n')
    return interruptedExitCode
  }
  const {
    results: found,
    redactor,
    parts,
    failure,
  } = await judged(plan, options, environment, interruption.signal)
  const { results, files } = artefactsOf(found, redactor, logFiles(parts))
  const unwritten = await keep(plan.out, files)

  if (options.json) stdout.write(files['results.json'] ?? '')
  const reportPath = unwritten === null ? join(plan.out, 'report.html') : 'not written'
  ;(options.json ? stderr : stdout).write(summaryText(results, { color: environment.color, reportPath }))
  for (const note of partNotes(parts)) stderr.write(`${note}\n`)
  if (unwritten !== null) throw unwritten
  const leak = leakOf(results)
  if (leak !== null) throw leak
  if (interruption.signal.aborted) return interruptedExitCode
  if (failure instanceof TwotokenError) stderr.write(`twotoken: ${failure.message}\n`)
  const warned = results.checks.some(({ verdict, waived }) => verdict === 'warn' && waived !== true)
  return results.outcome === 'conformant' && options.strict && warned ? 1 : exitCodeOfOutcome[results.outcome]
}

async function judged(
  { checks, configuration, started, out, shard, detected, mints }: Plan,
  { config, wait, withContracts, observe = false, seed = randomBytes(4).readUInt32LE() }: RunOptions,
  terminal: RunEnvironment,
  signal: AbortSignal,
): Promise<Judged> {
  const { stderr, variables } = terminal
  const startedAt = new Date()
  const begun = performance.now()
  const reports: CheckReport[] = []
  const progress = createProgress(stderr, () => performance.now())
  const fingerprintKey = createFingerprintKey()
  const certificate = await certificateOfDouble(configuration, out, stderr)
  let isAnnounced = false
  const events = {
    onStarted() {
      if (!isAnnounced) progress.started(mints.within.length)
      isAnnounced = true
    },
    onWaiting: progress.waiting,
    onReport(report: CheckReport) {
      // What an interruption has broken off says nothing.
      if (signal.aborted) return
      reports.push(report)
      progress.finished(report)
    },
  }
  const task = {
    configuration,
    ids: mints.within.map(({ id }) => id),
    wait,
    seed,
    fingerprintKey,
    evidenceFolder: join(out, 'client'),
    ...(mints.left === null ? {} : { maxMints: mints.left }),
    ...certificate,
  }
  const running = observe
    ? await startObservation(mints.within, task, terminal, events)
    : await startRunners(mints.within, task, variables, events)
  const failure = await Promise.race([running.finished, interruptionOf(signal)])
  const interrupted = signal.aborted
  if (interrupted) await running.cancel()
  progress.end()
  if (reports.length === 0 && failure instanceof TwotokenError && !interrupted) throw failure
  const contracts =
    withContracts && !interrupted && (shard === undefined || shard.index === 1)
      ? await contractRun(configuration, certificate)
      : noContracts
  const redactor = redactorOf(
    [...reports.flatMap((report) => report.secrets), ...contracts.secrets, ...(detected?.secrets ?? [])],
    fingerprintKey,
  )
  const parts = started === null ? [] : await partLogs(started, redactor)
  // A token that is no JWT is known for one only once it was looked for: the exchanges of that moment show it.
  const exchanges = redactValues(
    [...reports.flatMap((report) => report.exchanges), ...contracts.exchanges],
    redactor,
  ).value
  const inTheirOrder = inOrder(checks, reports, interrupted, mints.beyond)
  const judgedChecks = detected === null ? inTheirOrder : marked(inTheirOrder, checks, detected)
  const results = resultsOf({
    target: configuration.name,
    ...(config === undefined ? {} : { config }),
    startedAt,
    durationMs: performance.now() - begun,
    seed,
    interrupted,
    ...(shard === undefined ? {} : { shard }),
    checks: applyWaivers(
      withPartNotes([...judgedChecks, ...contracts.checks], exchanges, parts),
      configuration.waivers,
      startedAt,
    ),
    exchanges,
    parts,
  })
  return {
    results: detected === null ? results : withDetection(results, detected),
    redactor,
    parts,
    failure,
  }
}

const noContracts: ContractRun = { checks: [], exchanges: [], secrets: [] }

/** Loaded only when asked for: the Pact core is large. */
async function contractRun(
  configuration: Configuration,
  certificate: { doubleCertificate?: ServerCertificate },
): Promise<ContractRun> {
  const { contractsOf } = await import('../../run/with-contracts.ts')
  return await contractsOf(configuration, certificate)
}
