import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { AnyCheck } from '../check/check.ts'
import { exitCodeOfOutcome } from '../check/verdict.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration, resolveConfiguration } from '../configuration/load.ts'
import { TwotokenError } from '../errors.ts'
import type { Registered } from '../evidence/redact.ts'
import { preflight } from '../preflight/preflight.ts'
import { type RunResults, resultsOf } from '../reports/results.ts'
import { type MintPlan, planMints } from '../runner/plan.ts'
import type { CheckReport } from '../runner/protocol.ts'
import { parseShard, type Shard, shareOf } from '../runner/shard.ts'
import { applyWaivers } from '../runner/waivers.ts'
import type { Started } from '../start/started.ts'
import type { ServerCertificate } from '../tls/certificates.ts'
import { loadCatalogue } from './catalogue.ts'
import {
  type DetectedProfile,
  detectedProfile,
  marked,
  needsDetection,
  withDetection,
  withProfile,
} from './detected-profile.ts'
import { certificateOfDouble } from './double-certificate.ts'
import { inOrder } from './in-order.ts'
import { artefactsOf, assertWritable, keep } from './keep.ts'
import { assertKnown } from './known-waivers.ts'
import { startObservation } from './observe.ts'
import { createProgress, type Terminal } from './progress.ts'
import { startRunners } from './runners.ts'
import { type Selection, selected } from './selection.ts'
import { broughtUp } from './start.ts'
import { logFiles, type PartLog, partLogs, partNotes, withPartNotes } from './started-parts.ts'
import { summaryText } from './summary.ts'
import type { ContractRun } from './with-contracts.ts'

export interface RunOptions extends Selection {
  readonly config?: string
  readonly out?: string
  readonly strict: boolean
  readonly wait: boolean
  readonly keepGoing: boolean
  readonly json: boolean
  /** The Pact contracts count, too. */
  readonly withContracts: boolean
  /** The reference's parts run in containers. */
  readonly containers: boolean
  readonly seed?: number
  /** Calling tokens that the run may have issued; `limits.maxMints` where absent. */
  readonly maxMints?: number
  /** The client is a device that somebody operates: judged from its traffic, step by step. */
  readonly observe?: boolean
  /** `2/4`: the second of four machines that share the run. */
  readonly shard?: string
}

export interface RunEnvironment {
  readonly directory: string
  readonly variables: NodeJS.ProcessEnv
  readonly stdout: { write(text: string): unknown }
  readonly stderr: Terminal
  /** Where whoever operates a device says that a step is done. */
  readonly stdin?: NodeJS.ReadableStream
  readonly color: boolean
  /** Calls back once, when the user interrupts. */
  onInterrupt(callback: () => void): void
}

/** What is judged, with what, and where the results go. */
interface Plan {
  readonly checks: readonly AnyCheck[]
  readonly configuration: Configuration
  /** What was brought up for this run. */
  readonly started: Started | null
  readonly out: string
  /** This machine's share, and the requirements of all of them. */
  readonly shard?: Shard & { readonly ids: readonly string[] }
  /** What was found out in the place of a profile. */
  readonly detected: DetectedProfile | null
  /** What is judged within the limit on calling tokens, and what is not. */
  readonly mints: MintPlan & { readonly left: number | null }
}

interface Judged {
  readonly results: RunResults
  readonly secrets: readonly Registered[]
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
  const { results, secrets, parts, failure } = await judged(plan, options, environment, interruption.signal)
  const artefacts = artefactsOf(results, secrets, logFiles(parts))
  const unwritten = await keep(plan.out, artefacts)

  if (options.json) stdout.write(artefacts['results.json'] ?? '')
  const reportPath = unwritten === null ? join(plan.out, 'report.html') : 'not written'
  ;(options.json ? stderr : stdout).write(summaryText(results, { color: environment.color, reportPath }))
  for (const note of partNotes(parts)) stderr.write(`${note}\n`)
  if (unwritten !== null) throw unwritten
  if (interruption.signal.aborted) return interruptedExitCode
  if (failure instanceof TwotokenError) stderr.write(`twotoken: ${failure.message}\n`)
  const warned = results.checks.some(({ verdict, waived }) => verdict === 'warn' && waived !== true)
  return results.outcome === 'conformant' && options.strict && warned ? 1 : exitCodeOfOutcome[results.outcome]
}

/** Everything that can be found wrong before anything is judged; null when the user interrupts it. */
async function prepared(
  options: RunOptions,
  environment: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<Plan | null> {
  const catalogue = await loadCatalogue()
  const suites = options.observe === true ? ['client'] : options.suites
  const all = selected(catalogue, { ...options, ...(suites === undefined ? {} : { suites }) })
  const shard = options.shard === undefined ? undefined : parseShard(options.shard)
  const checks = shard === undefined ? all : shareOf(all, shard)
  try {
    const written = await configurationOf(options, environment, signal, stack)
    assertKnown(written.waivers, catalogue)
    const folder = options.config === undefined ? environment.directory : written.directory
    const out = resolve(environment.directory, options.out ?? join(folder, 'twotoken-results'))
    await assertWritable(out)
    const started = await broughtUp(written, options.containers, { ...environment, signal })
    if (started !== null) stack.use(started)
    const configuration = started?.configuration ?? written
    if (!options.keepGoing)
      await Promise.race([assertReachable(configuration, checks), interruptionOf(signal)])
    if (signal.aborted) return null
    const share = shard === undefined ? {} : { shard: { ...shard, ids: all.map(({ id }) => id) } }
    const limit = options.maxMints ?? configuration.limits.maxMints ?? null
    if (limit !== null && options.withContracts) throw uncounted()
    const detected = needsDetection(configuration, checks)
      ? await detectedProfile(configuration, {
          signal,
          maxMints: limit ?? undefined,
          onProgress: (what) => environment.stderr.write(`no signaling profile: trying ${what}\n`),
        })
      : null
    if (signal.aborted) return null
    const spent = (options.keepGoing ? 0 : preflightMints) + (detected?.mints ?? 0)
    const plan = planMints(checks, limit, spent)
    sayCost(plan, limit, spent, environment.stderr)
    const mints = { ...plan, left: limit === null ? null : Math.max(0, limit - spent) }
    const judgedBy = detected === null ? configuration : withProfile(configuration, detected)
    return { checks, configuration: judgedBy, started, out, detected, mints, ...share }
  } catch (error) {
    // What an interruption breaks off is no failure of its own.
    if (signal.aborted) return null
    throw error
  }
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
  const secrets = [
    ...reports.flatMap((report) => report.secrets),
    ...contracts.secrets,
    ...(detected?.secrets ?? []),
  ]
  const parts = started === null ? [] : await partLogs(started, secrets)
  const exchanges = [...reports.flatMap((report) => report.exchanges), ...contracts.exchanges]
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
    secrets,
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
  const { contractsOf } = await import('./with-contracts.ts')
  return await contractsOf(configuration, certificate)
}

/** Resolves with null when the user interrupts. */
function interruptionOf(signal: AbortSignal): Promise<null> {
  const { promise, resolve: interrupt } = Promise.withResolvers<null>()
  if (signal.aborted) interrupt(null)
  else signal.addEventListener('abort', () => interrupt(null), { once: true })
  return promise
}

async function configurationOf(
  { config, containers }: RunOptions,
  { directory, variables, stderr }: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  if (config !== undefined) return await loadConfiguration(resolve(directory, config), variables, { signal })
  if (containers) {
    stderr.write('no configuration file: running against the reference stack in containers\n')
    return await resolveConfiguration(
      { name: 'reference in containers' },
      { directory, environment: variables },
    )
  }
  stderr.write('no configuration file: running against the embedded reference stack\n')
  const { startReference } = await import('../../fixtures/stack.ts')
  return stack.use(await startReference({ withBundle: true, withClient: true })).configuration
}

async function assertReachable(configuration: Configuration, checks: readonly AnyCheck[]): Promise<void> {
  const roles = [...new Set(checks.map(({ role }) => role))]
  const fatal = (await preflight(configuration, { parts: roles })).filter((problem) => problem.fatal)
  if (fatal.length === 0) return
  const lines = fatal.map(({ part, message }) => `${part}: ${message}`)
  throw new TwotokenError(
    'precondition',
    `nothing was judged:\n  ${lines.join('\n  ')}\n  --keep-going judges the other parts`,
  )
}

/** An ordinary request, and one without a lifetime where the first was refused. */
const preflightMints = 2

function sayCost({ cost, beyond }: MintPlan, limit: number | null, spent: number, stderr: Terminal): void {
  if (limit === null) return
  const left = beyond.length === 0 ? '' : `; ${beyond.length} of them stay untested`
  stderr.write(
    `of the ${limit} calling tokens of --max-mints ${spent} go to the preparations; the requirements may cost ${cost}${left}\n`,
  )
}

function uncounted(): TwotokenError {
  return new TwotokenError(
    'usage',
    '--with-contracts has tokens issued that --max-mints does not count; expected one of the two: verify the contracts on their own',
  )
}
