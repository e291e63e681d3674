import { resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { TwotokenError } from '../../base/errors.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { runsOf, sentNames } from '../../base/evidence/hide-exchange.ts'
import { createFingerprintKey, createSecrets } from '../../base/evidence/secrets.ts'
import { createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { parsedJson } from '../../base/http/incoming.ts'
import { openNetwork } from '../../base/http/network.ts'
import { onOneLine } from '../../base/printable.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { loadConfiguration } from '../../configuration/load.ts'
import { type Broker, createBroker } from '../../contracts/broker.ts'
import type { Core } from '../../contracts/pact-core.ts'
import { ownPactsFolder, type PactFile, readPacts, selectProvider } from '../../contracts/pact-file.ts'
import { selectByShape } from '../../contracts/provider.ts'
import { type Verification, verifyPacts } from '../../contracts/verify.ts'
import { type AskedReport, loadReports, runFormats } from '../../reports/formats.ts'
import { hideResults, hiderOf } from '../../reports/hide-results.ts'
import { resultsOf } from '../../reports/results.ts'
import { renderJunit } from '../../reports/run/junit.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { loadStarted } from '../../run/prepare-configuration.ts'
import { rejectOnAbort } from '../../run/provision/concurrency.ts'
import {
  assertWritable,
  createDoubleCertificate,
  type DoubleCertificate,
  resultsIn,
  writeRun,
} from '../../run/write-artefacts.ts'
import { interruptible } from '../environment.ts'
import { exitCodeOfResults, printResults } from '../output/output.ts'
import { resolveTarget, type TargetOptions } from '../verify-target.ts'

export interface VerifyOptions extends TargetOptions {
  /** Files, folders or addresses; the committed contracts without any where no broker is named. */
  readonly pact?: readonly string[]
  /** Name of the provider in the pacts; the role where absent. */
  readonly provider?: string
  readonly stateUrl?: string
  readonly stateCommand?: string
  readonly out?: string
  readonly strict?: boolean
  readonly json?: boolean
  readonly report?: readonly AskedReport[]
  readonly brokerUrl?: string
  readonly brokerToken?: string | undefined
  /** One consumer version selector each, as JSON; by default the main branch and deployed or released versions. */
  readonly selector?: readonly string[]
  readonly enablePending?: boolean
  readonly publish?: boolean
  readonly providerVersion?: string
  readonly providerBranch?: string
  readonly buildUrl?: string
}

export interface VerifyEnvironment
  extends Omit<RunEnvironment, 'stdin' | 'onInterrupt'>,
    Partial<Pick<RunEnvironment, 'onInterrupt'>> {
  /** Replaces the Pact core, in tests. */
  readonly core?: Core
}

/** `twotoken verify`: verifies the contracts against any provider. Returns the exit code. */
export const verify = interruptible(
  async (options: VerifyOptions, environment: VerifyEnvironment, signal) => {
    const { role } = options
    const renderAsked = await loadReports(options.report, runFormats, environment.directory)
    await using stack = new AsyncDisposableStack()
    const { configuration, certificate } = await prepare(signal, options, environment, stack)
    const network = await openNetwork(configuration)
    await using http = createHttpClient({
      journal: createJournal(),
      clock: systemClock,
      deadlineMs: configuration.limits.requestSeconds * 1000,
      bodyBytes: configuration.limits.bodyBytes,
      network,
    })
    const broker = openBroker(options, http)
    const pacts = await loadPacts(options, broker, http, environment.directory)
    const out = outOf(options, environment, configuration)
    await assertWritable(out)

    const startedAt = new Date()
    const begun = performance.now()
    const verifying = verifyPacts({
      role,
      configuration,
      choose: ({ shape }) => selectByShape(pacts, shape),
      network,
      ...certificate,
      stateUrl: options.stateUrl,
      stateCommand:
        options.stateCommand === undefined
          ? undefined
          : { command: options.stateCommand, environment: environment.variables },
      core: environment.core,
    })
    const verification = await rejectOnAbort(verifying, signal)
    const judged = resultsOf({
      target: configuration.name,
      startedAt,
      durationMs: performance.now() - begun,
      seed: 0,
      interrupted: false,
      checks: verification.judged.map(({ interaction, check }) =>
        interaction.pact.pending === true || interaction.source.pending
          ? markPending(check, interaction.pact.consumer)
          : check,
      ),
      exchanges: verification.exchanges,
    })
    const fingerprintKey = createFingerprintKey()
    const secrets = createSecrets(fingerprintKey, verification.secrets)
    // The names of states are the user's text.
    const states = verification.judged.flatMap(({ interaction }) =>
      interaction.states.map(({ name }) => name),
    )
    const named = states.flatMap((name) => [...runsOf(secrets.text(name))])
    const names = new Set([...sentNames(judged.exchanges, secrets), ...named])
    const results = hideResults(judged, hiderOf(names, { configuration, secrets, fingerprintKey }))
    const written = await writeRun(out, results, (run) => ({
      'junit.xml': renderJunit(run),
      ...renderAsked(run),
    }))
    printResults(results, written, environment, { isJson: options.json })
    if (written.failure !== null) throw written.failure
    if (broker !== undefined && options.publish === true)
      await publish(options, broker, verification, environment)
    return exitCodeOfResults(results, options.strict)
  },
)

/** Starts what `start` names as `run` does, unless another provider is given: a backend that is started reads the certificate. */
async function prepare(
  signal: AbortSignal,
  options: VerifyOptions,
  environment: VerifyEnvironment,
  stack: AsyncDisposableStack,
): Promise<{ readonly configuration: Configuration; readonly certificate: DoubleCertificate }> {
  const { role, url } = options
  const { directory, variables, stderr } = environment
  const beforeStart = async (draft: Configuration) => {
    if (role === 'mint') return {}
    const out = outOf(options, environment, draft)
    await assertWritable(out)
    return await createDoubleCertificate(draft, out, stderr)
  }
  const made: { certificate?: DoubleCertificate } = {}
  const load = async (file: string) => {
    if (url !== undefined) return await loadConfiguration(file, variables)
    const loading = { variables, stderr, signal, contactedBy: [role], beforeStart }
    const { configuration, certificate } = await loadStarted(file, loading, stack)
    made.certificate = certificate
    return configuration
  }
  const configuration = await resolveTarget(options, directory, load)
  return { configuration, certificate: made.certificate ?? (await beforeStart(configuration)) }
}

function outOf({ out }: VerifyOptions, { directory }: VerifyEnvironment, draft: Configuration): string {
  return resolve(directory, out ?? resultsIn(draft.directory))
}

type Check = Verification['judged'][number]['check']

/** A failure of a pact that the provider has never satisfied only warns, so that it does not break the provider's build. */
function markPending(check: Check, consumer: string): Check {
  if (check.verdict !== 'fail') return check
  const reason = `pending: this pact of ${consumer} has not been verified successfully yet`
  return { ...check, verdict: 'warn', waived: true, reason, remarks: [reason] }
}

function openBroker(
  { brokerUrl: url, brokerToken: token, publish, providerVersion }: VerifyOptions,
  http: HttpClient,
): Broker | undefined {
  if (url === undefined) return undefined
  if (!/^https?:\/\//i.test(url)) throw new TwotokenError('usage', '--broker-url is not an http or https URL')
  if (publish === true && providerVersion === undefined)
    throw new TwotokenError('usage', '--publish needs --provider-version, the version that is verified')
  return createBroker(url, token, http)
}

const usualSelectors = [{ mainBranch: true }, { deployedOrReleased: true }]

async function loadPacts(
  { role, provider = role, pact = [], selector = [], enablePending = false, providerBranch }: VerifyOptions,
  broker: Broker | undefined,
  http: HttpClient,
  directory: string,
): Promise<PactFile[]> {
  if (broker !== undefined) {
    const selectors = selector.length === 0 ? usualSelectors : selector.map(parseSelector)
    return broker.pacts({ provider, selectors, enablePending, providerBranch })
  }
  const named = pact.map((place) => (/^https?:/i.test(place) ? place : resolve(directory, place)))
  const places = named.length === 0 ? [ownPactsFolder] : named
  const found = await Promise.all(places.map((place) => readPacts(place, http)))
  return selectProvider(provider, found.flat())
}

function parseSelector(text: string): Record<string, unknown> {
  const value = parsedJson(text)
  if (isRecord(value)) return value
  throw new TwotokenError(
    'usage',
    `--selector ${text} is not a JSON object; use one such as {"deployedOrReleased":true}`,
  )
}

/** Publishes the verdicts and not the core's own result, which is green for a leak that Pact does not look for. */
async function publish(
  { providerVersion = '', providerBranch, buildUrl }: VerifyOptions,
  broker: Broker,
  { judged }: Verification,
  { stderr }: VerifyEnvironment,
): Promise<void> {
  for (const pact of new Set(judged.map(({ interaction }) => interaction.pact))) {
    const checks = judged.filter(({ interaction }) => interaction.pact === pact).map(({ check }) => check)
    const consumer = onOneLine(pact.consumer)
    const failed = checks.some(({ verdict }) => verdict === 'fail')
    const open = checks.filter(({ verdict }) => verdict === 'untested' || verdict === 'error').length
    if (!failed && open > 0) {
      stderr.write(`not published for ${consumer}: ${open} of its interactions could not be judged\n`)
      continue
    }
    await broker.publish(pact, {
      success: !failed,
      providerVersion,
      testResults: checks.map(({ id, verdict }) => ({ id, verdict })),
      providerBranch,
      buildUrl,
    })
    stderr.write(`published for ${consumer}: ${failed ? 'failure' : 'success'}\n`)
  }
}
