import { TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import { type DescribedCheck, readDescribedCatalogue } from '../catalogue/described.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { pactProgram } from '../contracts/pact-core.ts'
import type { Role } from '../requirement/define.ts'
import { type CheckResult, unjudged } from '../requirement/run.ts'
import { findBrowserSandbox, withoutSandbox } from '../roles/client/page/browser-sandbox.ts'
import { applyProfile, type DetectedProfile, detectProfile, needsDetection } from './detect-profile.ts'
import type { RunEnvironment, RunOptions, Terminal } from './options.ts'
import { assertReachable, mostPreflightMints } from './preflight/preflight.ts'
import { type PreparedConfiguration, prepareConfiguration } from './prepare-configuration.ts'
import { rejectOnAbort } from './provision/concurrency.ts'
import { keepDescribed, selectRequirements } from './select-requirements.ts'
import { assertWaiversKnown } from './waivers.ts'

export interface Plan extends PreparedConfiguration {
  /** When the user began to wait, as `performance.now()` gives it. */
  readonly begun: number
  readonly checks: readonly DescribedCheck[]
  readonly detected: DetectedProfile | null
  /** The requirements within the limit on calling tokens, and those beyond it. */
  readonly mints: MintPlan & { readonly left: number | null }
}

/** Selects requirements, brings parts up, checks that they answer; null after an interruption. Throws where anything is wrong. */
export async function prepareRun(
  options: RunOptions,
  environment: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<Plan | null> {
  const begun = performance.now()
  const { checks: catalogue } = await readDescribedCatalogue()
  const suites = options.observe === true ? ['client'] : options.suites
  const selected = selectRequirements(catalogue, { ...options, suites })
  if (options.withContracts) pactProgram()
  try {
    const { containers = false } = options
    const unconfigured = () => withoutFile(containers, environment, stack)
    const preparing = { ...options, containers, contactedBy: rolesOf(selected), unconfigured, signal }
    const prepared = await prepareConfiguration(preparing, environment, stack)
    const { configuration } = prepared
    assertWaiversKnown(configuration.waivers, catalogue)
    const { stories } = configuration
    if (stories.length > 0) await (await import('./tell-stories.ts')).readStories(stories)
    // A part that is asked for by name is judged, or the run is incomplete.
    const isAsked = suites !== undefined || options.only !== undefined
    const { checks, note } = isAsked
      ? { checks: selected, note: null }
      : keepDescribed(selected, configuration)
    if (note !== null) environment.stderr.write(`${note}\n`)
    const limit = options.maxMints ?? configuration.limits.maxMints ?? null
    if (!options.keepGoing) {
      const reaching = assertReachable(configuration, {
        ...prepared.certificate,
        parts: rolesOf(checks),
        mayMint: limit === null,
        stderr: environment.stderr,
        refusal: { what: 'the run did not start', hint: 'use --keep-going to run the other parts' },
      })
      await rejectOnAbort(reaching, signal)
    }
    const opensPage = configuration.client?.url !== undefined && rolesOf(checks).includes('client')
    if (opensPage && (await findBrowserSandbox()) === 'none')
      environment.stderr.write(`note: ${withoutSandbox}\n`)
    if (signal.aborted) return null
    if (limit !== null && options.withContracts)
      throw new TwotokenError(
        'usage',
        '--with-contracts cannot be combined with --max-mints, which does not count its tokens: verify the contracts separately',
      )
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
    const mints = { ...plan, left: limit === null ? null : Math.max(0, limit - spent) }
    const judgedBy = detected === null ? configuration : applyProfile(configuration, detected)
    return { ...prepared, begun, checks, configuration: judgedBy, detected, mints }
  } catch (error) {
    // An interruption makes what it breaks off fail: that is no error of its own.
    if (signal.aborted) return null
    throw error
  }
}

async function withoutFile(
  inContainers: boolean,
  { directory, variables, stderr }: RunEnvironment,
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  if (inContainers) {
    stderr.write('running against the reference stack in containers\n')
    return await resolveConfiguration(
      { name: 'reference in containers' },
      { directory, environment: variables },
    )
  }
  stderr.write('running against the embedded reference stack\n')
  const { startReference } = await import('../../fixtures/stack.ts')
  return stack.use(await startReference({ withBundle: true, withClient: true })).configuration
}

function rolesOf(checks: readonly DescribedCheck[]): Role[] {
  return [...new Set(checks.map(({ role }) => role))]
}

function printCost({ cost, beyond }: MintPlan, limit: number | null, spent: number, stderr: Terminal): void {
  if (limit === null) return
  const left = beyond.length === 0 ? '' : `; ${beyond.length} of them stay untested`
  stderr.write(
    `--max-mints ${limit}: ${spent} calling tokens for the preparations, up to ${cost} for the requirements${left}\n`,
  )
}

interface MintPlan {
  readonly within: readonly DescribedCheck[]
  readonly beyond: readonly CheckResult[]
  /** Possible cost of the chosen requirements, before any is left out. */
  readonly cost: number
}

/** Takes them in their order; one that costs too much does not keep out cheaper ones behind it. */
function planMints(checks: readonly DescribedCheck[], limit: number | null, spent: number): MintPlan {
  const cost = checks.reduce((sum, { mints = 0 }) => sum + mints, 0)
  if (limit === null) return { within: checks, beyond: [], cost }
  const within: DescribedCheck[] = []
  const beyond: CheckResult[] = []
  let left = Math.max(0, limit - spent)
  for (const check of checks) {
    const { mints = 0 } = check
    if (mints <= left) {
      left -= mints
      within.push(check)
    } else {
      const reason = `needs up to ${mints} calling tokens, but only ${left} of --max-mints ${limit} are left`
      beyond.push(unjudged(check, { verdict: 'untested', reason }))
    }
  }
  return { within, beyond, cost }
}
