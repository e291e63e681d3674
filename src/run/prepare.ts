import { join, resolve } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import { tellingIn } from '../base/told-wait.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { pactProgram } from '../contracts/pact-core.ts'
import type { Shard } from '../reports/results.ts'
import type { AnyCheck, Role } from '../requirement/define.ts'
import { listPaceGaps } from '../requirement/pace-gaps.ts'
import { findBrowserSandbox, withoutSandbox } from '../roles/client/browser-sandbox.ts'
import { applyProfile, type DetectedProfile, detectProfile, needsDetection } from './detect-profile.ts'
import { loadStarted } from './load-started.ts'
import { type MintPlan, planMints } from './mint-plan.ts'
import type { RunEnvironment, RunOptions, Terminal } from './options.ts'
import { mostPreflightMints, type PreflightOptions, preflight } from './preflight/preflight.ts'
import { rejectOnAbort } from './provision/concurrency.ts'
import { provision } from './provision/provision.ts'
import type { ProvisionedStack } from './provision/provisioned-stack.ts'
import { serveLogs } from './provision/serve-logs.ts'
import { selectRequirements } from './select-requirements.ts'
import { gatherHooks, parseShard, takeShare } from './shard.ts'
import { assertWaiversKnown } from './waivers.ts'
import { assertWritable, createDoubleCertificate } from './write-artefacts.ts'

/** Requirements to judge, their configuration, and the place for the results. */
export interface Plan {
  readonly checks: readonly AnyCheck[]
  readonly configuration: Configuration
  /** Stack that was started for this run; null where it runs already. */
  readonly provisioned: ProvisionedStack | null
  readonly out: string
  /** Certificate of the mint double, where it listens with TLS. */
  readonly certificate: { readonly doubleCertificate?: TestableCertificate }
  /** This machine's share, and the requirements of all of them. */
  readonly shard?: Shard & { readonly ids: readonly string[] }
  /** The profile that was detected where the configuration has none. */
  readonly detected: DetectedProfile | null
  /** The requirements within the limit on calling tokens, and those beyond it. */
  readonly mints: MintPlan & { readonly left: number | null }
}

/**
 * Prepares a run: selects requirements, brings parts up, checks that they answer. Returns null when the user interrupts it.
 * @throws TwotokenError for everything that can be wrong before anything is judged
 */
export async function prepareRun(
  options: RunOptions,
  environment: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<Plan | null> {
  const catalogue = await loadCatalogue()
  const suites = options.observe === true ? ['client'] : options.suites
  const selected = selectRequirements(catalogue, { ...options, suites })
  const shard = options.shard === undefined ? undefined : parseShard(options.shard)
  const all = shard === undefined ? selected : gatherHooks(selected, shard)
  const checks = shard === undefined ? all : takeShare(all, shard)
  if (options.withContracts) pactProgram()
  try {
    const prepared = await prepareConfiguration(
      options,
      environment,
      { signal, roles: rolesOf(checks) },
      stack,
    )
    const { out, certificate, provisioned, configuration } = prepared
    assertWaiversKnown(configuration.waivers, catalogue)
    if (configuration.stories.length > 0) await assertStoriesKnown(configuration.stories)
    const limit = options.maxMints ?? configuration.limits.maxMints ?? null
    const asked = { ...certificate, mayMint: limit === null, tellWait: tellingIn(environment.stderr) }
    if (!options.keepGoing) {
      const notes = await rejectOnAbort(assertReachable(configuration, checks, asked), signal)
      for (const note of notes) environment.stderr.write(`note: ${onOneLine(note)}\n`)
    }
    await noteLostSandbox(configuration, checks, environment.stderr)
    if (signal.aborted) return null
    const share = shard === undefined ? {} : { shard: { ...shard, ids: all.map(({ id }) => id) } }
    if (limit !== null && options.withContracts) throw uncountedContracts()
    if (limit !== null && options.blame === true) throw uncountedBlame()
    const detected = needsDetection(configuration, checks)
      ? await detectProfile(configuration, {
          signal,
          maxMints: limit ?? undefined,
          onProgress: (what) =>
            environment.stderr.write(`detecting the signaling profile: ${onOneLine(what)}\n`),
        })
      : null
    if (signal.aborted) return null
    const spent =
      (options.keepGoing ? 0 : mostPreflightMints(configuration, rolesOf(checks))) + (detected?.mints ?? 0)
    const plan = planMints(checks, limit, spent)
    printCost(plan, limit, spent, environment.stderr)
    for (const line of listPaceGaps(checks, configuration.limits.pace)) environment.stderr.write(`${line}\n`)
    const mints = { ...plan, left: limit === null ? null : Math.max(0, limit - spent) }
    const judgedBy = detected === null ? configuration : applyProfile(configuration, detected)
    return { checks, configuration: judgedBy, provisioned, out, certificate, detected, mints, ...share }
  } catch (error) {
    // An interruption makes what it breaks off fail: that is no error of its own.
    if (signal.aborted) return null
    throw error
  }
}

type Prepared = Pick<Plan, 'configuration' | 'provisioned' | 'out' | 'certificate'>

/** The folder of the results, the certificate of the double, and then what `start` names: a backend that is started reads both. */
async function prepareConfiguration(
  options: RunOptions,
  environment: RunEnvironment,
  { signal, roles }: { readonly signal: AbortSignal; readonly roles: readonly Role[] },
  stack: AsyncDisposableStack,
): Promise<Prepared> {
  const { directory, variables, stderr } = environment
  const { config, containers } = options
  const outOf = (written: Configuration) =>
    resolve(
      directory,
      options.out ?? join(config === undefined ? directory : written.directory, 'twotoken-results'),
    )
  const made: { certificate: Plan['certificate'] } = { certificate: {} }
  const beforeStart = async (draft: Configuration) => {
    await assertWritable(outOf(draft))
    made.certificate = await createDoubleCertificate(draft, outOf(draft), stderr)
  }
  const surroundings = { variables, stderr, signal }
  if (config !== undefined) {
    const file = resolve(directory, config)
    const loading = { ...surroundings, inContainers: containers, beforeStart, contactedBy: roles }
    const { configuration, provisioned } = await loadStarted(file, loading, stack)
    return await withLogs({ configuration, provisioned, out: outOf(configuration), ...made }, stack)
  }
  const written = await withoutFile(containers, environment, stack)
  await beforeStart(written)
  const provisioned = await provision(written, containers, surroundings)
  if (provisioned !== null) stack.use(provisioned)
  const configuration = provisioned?.configuration ?? written
  return await withLogs({ configuration, provisioned, out: outOf(written), ...made }, stack)
}

async function withoutFile(
  inContainers: boolean,
  { directory, variables, stderr }: RunEnvironment,
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  if (inContainers) {
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

/** Loaded only where there are stories: fast-check is large. */
async function assertStoriesKnown(files: readonly string[]): Promise<void> {
  const { readStories } = await import('./tell-stories.ts')
  await readStories(files)
}

function rolesOf(checks: readonly AnyCheck[]): Role[] {
  return [...new Set(checks.map(({ role }) => role))]
}

/** Returns notes on sessions and key sets, which may explain what is judged later. */
async function assertReachable(
  configuration: Configuration,
  checks: readonly AnyCheck[],
  options: Omit<PreflightOptions, 'parts'>,
): Promise<string[]> {
  const problems = await preflight(configuration, { ...options, parts: rolesOf(checks) })
  const fatal = problems.filter((problem) => problem.fatal)
  if (fatal.length === 0)
    return problems
      .filter(({ kind }) => ['session', 'limit', 'environment'].includes(kind))
      .map(({ message }) => message)
  const lines = fatal.map(({ part, message }) => `${part}: ${onOneLine(message)}`)
  throw new TwotokenError(
    'precondition',
    `the run did not start:\n  ${lines.join('\n  ')}\n  use --keep-going to run the other parts`,
  )
}

async function noteLostSandbox(
  { client }: Configuration,
  checks: readonly AnyCheck[],
  stderr: Terminal,
): Promise<void> {
  const opensPage = client?.url !== undefined && rolesOf(checks).includes('client')
  if (opensPage && (await findBrowserSandbox()) === 'none') stderr.write(`note: ${withoutSandbox}\n`)
}

function printCost({ cost, beyond }: MintPlan, limit: number | null, spent: number, stderr: Terminal): void {
  if (limit === null) return
  const left = beyond.length === 0 ? '' : `; ${beyond.length} of them stay untested`
  stderr.write(
    `--max-mints ${limit}: ${spent} calling tokens for the preparations, up to ${cost} for the requirements${left}\n`,
  )
}

function uncountedContracts(): TwotokenError {
  return new TwotokenError(
    'usage',
    '--with-contracts cannot be combined with --max-mints, which does not count its tokens: verify the contracts separately',
  )
}

function uncountedBlame(): TwotokenError {
  return new TwotokenError(
    'usage',
    '--blame cannot be combined with --max-mints, which does not count its tokens: use it in a run without a limit',
  )
}

/** Gives a started stack an address to read its logs at. */
async function withLogs(prepared: Prepared, stack: AsyncDisposableStack): Promise<Prepared> {
  const { provisioned, configuration } = prepared
  if (provisioned === null) return prepared
  const { url } = stack.use(await serveLogs(provisioned))
  return { ...prepared, configuration: { ...configuration, partLogs: url } }
}
