import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { AnyCheck } from '../check/check.ts'
import { exitCodeOfOutcome } from '../check/verdict.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { TwotokenError } from '../errors.ts'
import type { Registered } from '../evidence/redact.ts'
import { preflight } from '../preflight/preflight.ts'
import { type RunResults, resultsOf } from '../reports/results.ts'
import type { CheckReport } from '../runner/protocol.ts'
import { parseShard, type Shard, shareOf } from '../runner/shard.ts'
import { applyWaivers } from '../runner/waivers.ts'
import type { ServerCertificate } from '../tls/certificates.ts'
import { loadCatalogue } from './catalogue.ts'
import { certificateOfDouble } from './double-certificate.ts'
import { artefactsOf, assertWritable, keep } from './keep.ts'
import { assertKnown } from './known-waivers.ts'
import { startObservation } from './observe.ts'
import { createProgress, type Terminal } from './progress.ts'
import { startRunners } from './runners.ts'
import { type Selection, selected } from './selection.ts'
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
  readonly seed?: number
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
  readonly out: string
  /** This machine's share, and the requirements of all of them. */
  readonly shard?: Shard & { readonly ids: readonly string[] }
}

interface Judged {
  readonly results: RunResults
  readonly secrets: readonly Registered[]
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
  const { results, secrets, failure } = await judged(plan, options, environment, interruption.signal)
  const artefacts = artefactsOf(results, secrets)
  const unwritten = await keep(plan.out, artefacts)

  if (options.json) stdout.write(artefacts['results.json'] ?? '')
  const reportPath = unwritten === null ? join(plan.out, 'report.html') : 'not written'
  ;(options.json ? stderr : stdout).write(summaryText(results, { color: environment.color, reportPath }))
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
    const configuration = await configurationOf(options, environment, signal, stack)
    assertKnown(configuration.waivers, catalogue)
    const folder = options.config === undefined ? environment.directory : configuration.directory
    const out = resolve(environment.directory, options.out ?? join(folder, 'twotoken-results'))
    await assertWritable(out)
    if (!options.keepGoing)
      await Promise.race([assertReachable(configuration, checks), interruptionOf(signal)])
    if (signal.aborted) return null
    const share = shard === undefined ? {} : { shard: { ...shard, ids: all.map(({ id }) => id) } }
    return { checks, configuration, out, ...share }
  } catch (error) {
    // What an interruption breaks off is no failure of its own.
    if (signal.aborted) return null
    throw error
  }
}

async function judged(
  { checks, configuration, out, shard }: Plan,
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
  const ids = checks.map(({ id }) => id)
  let isAnnounced = false
  const events = {
    onStarted() {
      if (!isAnnounced) progress.started(ids.length)
      isAnnounced = true
    },
    onWaiting: progress.waiting,
    onReport(report: CheckReport) {
      reports.push(report)
      progress.finished(report)
    },
  }
  const task = { configuration, ids, wait, seed, evidenceFolder: join(out, 'client'), ...certificate }
  const running = observe
    ? await startObservation(checks, task, terminal, events)
    : await startRunners(checks, task, variables, events)
  const failure = await Promise.race([running.finished, interruptionOf(signal)])
  const interrupted = signal.aborted
  if (interrupted) await running.cancel()
  progress.end()
  if (reports.length === 0 && failure instanceof TwotokenError && !interrupted) throw failure
  const contracts =
    withContracts && !interrupted && (shard === undefined || shard.index === 1)
      ? await contractRun(configuration, certificate)
      : noContracts
  const results = resultsOf({
    target: configuration.name,
    ...(config === undefined ? {} : { config }),
    startedAt,
    durationMs: performance.now() - begun,
    seed,
    interrupted,
    ...(shard === undefined ? {} : { shard }),
    checks: applyWaivers(
      [...inOrder(checks, reports, interrupted), ...contracts.checks],
      configuration.waivers,
      startedAt,
    ),
    exchanges: [...reports.flatMap(({ exchanges }) => exchanges), ...contracts.exchanges],
  })
  return { results, secrets: [...reports.flatMap(({ secrets }) => secrets), ...contracts.secrets], failure }
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
  { config }: RunOptions,
  { directory, variables, stderr }: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  if (config !== undefined) return await loadConfiguration(resolve(directory, config), variables, { signal })
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

/** One result per requirement, in the order of the catalogue; what did not get its turn says why. */
function inOrder(checks: readonly AnyCheck[], reports: readonly CheckReport[], interrupted: boolean) {
  return checks.map((check) => {
    const report = reports.find(({ result }) => result.id === check.id)
    if (report !== undefined) return report.result
    const { id, title, role, level, clauses } = check
    return {
      id,
      title,
      role,
      level,
      clauses,
      verdict: interrupted ? ('untested' as const) : ('error' as const),
      durationMs: 0,
      reason: interrupted
        ? 'the run was interrupted before it was judged'
        : 'the worker ended before it was judged',
      findings: [],
      observations: {},
    }
  })
}
