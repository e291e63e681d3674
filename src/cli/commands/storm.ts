import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { parseShard } from '../../base/shard.ts'
import { exitCodeOfOutcome } from '../../base/verdict.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { registerSecrets } from '../../configuration/register-secrets.ts'
import { inertJson } from '../../reports/escape.ts'
import { readResults } from '../../reports/read-results.ts'
import { resultsOf } from '../../reports/results.ts'
import { digestConfiguration } from '../../run/judged-subjects.ts'
import type { RunEnvironment, Terminal } from '../../run/options.ts'
import { prepareConfiguration } from '../../run/prepare-configuration.ts'
import { rejectOnAbort } from '../../run/provision/concurrency.ts'
import { assertWritable, resultsIn, writeRun } from '../../run/write-artefacts.ts'
import { type Aftermath, figuresText, judgeStorm } from '../../storm/judge-storm.ts'
import { openStormDouble } from '../../storm/open-double.ts'
import { assertAllowed, countOwnUsers, type StormPlan } from '../../storm/plan.ts'
import { assertServes, findIdleAfter } from '../../storm/probe.ts'
import type { Profile } from '../../storm/profiles.ts'
import { readTallies } from '../../storm/read-tallies.ts'
import { findArtillery, runArtillery } from '../../storm/run-artillery.ts'
import { processorFile, renderProcessor, renderScript } from '../../storm/script.ts'
import type { Tally } from '../../storm/tally.ts'
import { openTarget } from '../../storm/target.ts'
import { type AskedReport, loadRunReports } from '../asked-reports.ts'
import type { Output } from '../output/output.ts'
import { summaryText } from '../output/summary.ts'

/** How what came of a storm is written and judged. */
export interface StormOutputOptions {
  readonly config?: string | undefined
  /** Logs and `storm.json` of machines, judged as one storm. */
  readonly parts: readonly string[]
  readonly out?: string
  readonly strict: boolean
  readonly json: boolean
  readonly report?: readonly AskedReport[] | undefined
}

export interface StormCommandOptions extends StormOutputOptions {
  readonly profile: Profile
  readonly users: number
  readonly seconds: number
  readonly think: number
  readonly shard?: string
  /** Writes a script for `artillery run` to this file instead. */
  readonly export?: string
}

interface StormOutcome {
  readonly tally: Tally
  readonly aftermath: Aftermath
  readonly configuration: Configuration | null
  readonly out: string
}

type StormEnvironment = Output & Pick<RunEnvironment, 'directory' | 'color' | 'columns'>

/** Sources run as `.ts`, the package as `.js`. */
const processor = join(import.meta.dirname, `../embedded/artillery${extname(import.meta.filename)}`)
const interruptedExitCode = 130
const msPerSecond = 1000
const waveSeconds = 10
/** Users that arrive in a second, so that the load builds up. */
const arrivalsPerSecond = 100

/** `twotoken storm`: puts the flow under load. Returns the exit code. */
export async function stormCommand(
  options: StormCommandOptions,
  environment: RunEnvironment,
): Promise<number> {
  const plan = planOf(options)
  if (options.export !== undefined) return await exportScript(plan, options.export, environment)
  if (options.parts.length > 0) return await mergeStorms(options, environment)
  const interruption = new AbortController()
  environment.onInterrupt(() => interruption.abort())
  return await judgeOutcome(
    () => runStorm(plan, options, environment, interruption.signal),
    options,
    environment,
    interruption.signal,
  )
}

/** Judges the figures of several machines as one storm. Returns the exit code. */
export async function mergeStorms(
  options: StormOutputOptions,
  environment: StormEnvironment,
): Promise<number> {
  const neverInterrupted = new AbortController().signal
  return await judgeOutcome(() => readParts(options, environment), options, environment, neverInterrupted)
}

async function judgeOutcome(
  storm: () => Promise<StormOutcome | null>,
  options: StormOutputOptions,
  environment: StormEnvironment,
  signal: AbortSignal,
): Promise<number> {
  const renderAsked = await loadRunReports(options.report, environment.directory)
  const startedAt = new Date()
  const outcome = await storm()
  if (outcome === null) return interruptedExitCode
  const { configuration, tally, aftermath, out } = outcome
  const redactor = createRedactor()
  if (configuration !== null) registerSecrets(configuration, redactor)
  const judged = resultsOf({
    target: configuration?.name ?? 'storm',
    config: options.config,
    startedAt,
    durationMs: tally.endedAt - tally.startedAt,
    seed: 0,
    interrupted: signal.aborted,
    checks: judgeStorm(tally, aftermath),
    exchanges: [],
  })
  const described = configuration === null ? {} : await digestConfiguration(configuration, options.config)
  const { results, json, reportPath, failure } = await writeRun(
    out,
    { ...judged, ...described },
    redactor,
    (run, text) => ({ 'storm.json': `${JSON.stringify(tally)}\n`, ...renderAsked(run, text) }),
  )
  const { stdout, stderr, color, columns } = environment
  if (options.json) stdout.write(inertJson(json))
  const shown = options.json ? stderr : stdout
  shown.write(figuresText(tally) + summaryText(results, { color, columns, reportPath }))
  if (failure !== null) throw failure
  if (signal.aborted) return interruptedExitCode
  const isWarned = results.checks.some(({ verdict }) => verdict === 'warn')
  return results.outcome === 'conformant' && options.strict && isWarned
    ? 1
    : exitCodeOfOutcome[results.outcome]
}

function planOf({ profile, users, seconds, think, shard: given }: StormCommandOptions): StormPlan {
  if (users === 0) throw new TwotokenError('usage', '--users 0 puts no load on anything: expected 1 or more')
  const shard = given === undefined ? { index: 1, count: 1 } : parseShard(given)
  const own = countOwnUsers({ users, shard })
  if (own === 0)
    throw new TwotokenError(
      'usage',
      `--shard ${given} is empty: use at most ${users} shards for --users ${users}`,
    )
  const rampSeconds = Math.max(1, Math.ceil(own / arrivalsPerSecond))
  if (rampSeconds >= seconds)
    throw new TwotokenError(
      'usage',
      `--seconds ${seconds} is too short: ${own} users arrive within ${rampSeconds} s`,
    )
  return {
    profile,
    users,
    shard,
    rampSeconds,
    seconds,
    thinkMs: think * msPerSecond,
    waveMs: waveSeconds * msPerSecond,
    jitterMs: msPerSecond,
  }
}

async function exportScript(
  plan: StormPlan,
  file: string,
  { directory, stdout }: RunEnvironment,
): Promise<number> {
  const script = resolve(directory, file)
  const beside = join(dirname(script), processorFile)
  try {
    await writeFile(beside, renderProcessor('twotoken/artillery'))
    await writeFile(script, renderScript(plan))
  } catch (error) {
    throw new TwotokenError(
      'unwritable',
      `--export: ${script} cannot be written (${(error as NodeJS.ErrnoException).code})`,
      error,
    )
  }
  stdout.write(
    `wrote ${script}\nwrote ${beside}\nnext: ARTILLERY_DISABLE_TELEMETRY=true TWOTOKEN_CONFIG=twotoken.yaml npx artillery run ${file} > part-1.log\n      npx twotoken storm --parts part-1.log\n`,
  )
  return 0
}

async function readParts(
  { parts, out }: StormOutputOptions,
  { directory }: StormEnvironment,
): Promise<StormOutcome> {
  const folder = resolve(directory, out ?? resultsIn(directory))
  await assertWritable(folder)
  const paths = parts.map((part) => resolve(directory, part))
  const tally = await readTallies(paths)
  return { tally, aftermath: await aftermathOf(paths, tally), configuration: null, out: folder }
}

/**
 * Reads what the machine that ended last saw behind the load, since the others asked while it went on. Null where the
 * results of that machine are not beside its figures.
 */
async function aftermathOf(paths: readonly string[], { endedAt }: Tally): Promise<Aftermath> {
  for (const path of paths.filter((one) => basename(one) === 'storm.json')) {
    const own = await readTallies([path])
    if (own.endedAt !== endedAt) continue
    const results = await readResults(join(dirname(path), 'results.json')).catch(() => null)
    const last = results?.checks.find(({ id }) => id === 'LOAD-06')
    // Another command may have written its results over those of the storm.
    if (last?.durationMs !== own.endedAt - own.startedAt) return null
    if (last.verdict === 'pass') return []
    return last.verdict === 'fail'
      ? last.findings.flatMap((one) => ('case' in one ? (one.case ?? []) : []))
      : null
  }
  return null
}

/** Null where it was interrupted before the load began. */
async function runStorm(
  plan: StormPlan,
  options: StormCommandOptions,
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<StormOutcome | null> {
  const { directory, variables, stderr } = environment
  const program = findArtillery(directory)
  await using stack = new AsyncDisposableStack()
  const unconfigured = () => startEmbedded(stderr, stack)
  const contactedBy = ['mint', 'backend', 'signaling'] as const
  const preparing = { ...options, containers: false, contactedBy, unconfigured, signal }
  try {
    const { configuration, out, certificate } = await prepareConfiguration(preparing, environment, stack)
    assertAllowed(plan, configuration)
    const seed = randomBytes(4).readUInt32LE()
    const target = stack.use(await openTarget(configuration, { seed, environment: variables }))
    const double = await openStormDouble(target, certificate.doubleCertificate)
    if (double !== null) stack.use(double)
    await rejectOnAbort(assertServes(target, plan), signal)
    stderr.write(`${countOwnUsers(plan)} users for ${plan.seconds} s, profile ${plan.profile}\n`)
    const load = () => runArtillery(plan, { program, processor, configuration, variables, signal })
    const tally = await (double === null ? load() : double.during(plan.profile, load))
    const aftermath = signal.aborted ? null : await findIdleAfter(target, plan)
    return { tally, aftermath, configuration, out }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

async function startEmbedded(stderr: Terminal, stack: AsyncDisposableStack): Promise<Configuration> {
  stderr.write('no configuration file: putting the embedded reference stack under load\n')
  const { startReference } = await import('../../../fixtures/stack.ts')
  return stack.use(await startReference()).configuration
}
