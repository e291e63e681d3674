import { randomBytes } from 'node:crypto'
import { access, constants, mkdir } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { closest } from 'fastest-levenshtein'
import type { AnyCheck, Role } from '../check/check.ts'
import { exitCodeOfOutcome } from '../check/verdict.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { TwotokenError } from '../errors.ts'
import type { Exchange } from '../evidence/exchange.ts'
import { createRedactor } from '../evidence/redact.ts'
import { assertNoSecret } from '../evidence/scan.ts'
import { preflight } from '../preflight/preflight.ts'
import { renderHtml } from '../reports/html.ts'
import { type RunResults, resultsOf } from '../reports/results.ts'
import type { CheckReport } from '../runner/protocol.ts'
import { type RunningChecks, startChecks } from '../runner/run-checks.ts'
import { applyWaivers } from '../runner/waivers.ts'
import { createServerCertificate, type ServerCertificate } from '../tls/certificates.ts'
import { loadCatalogue } from './catalogue.ts'
import { createProgress, type Terminal } from './progress.ts'
import { summaryText } from './summary.ts'
import { writeFileWhole } from './write-file.ts'

export interface RunOptions {
  readonly config?: string
  readonly suites?: readonly string[]
  readonly only?: readonly string[]
  readonly out?: string
  readonly strict: boolean
  readonly wait: boolean
  readonly keepGoing: boolean
  readonly json: boolean
  readonly seed?: number
}

export interface RunEnvironment {
  readonly directory: string
  readonly variables: NodeJS.ProcessEnv
  readonly stdout: { write(text: string): unknown }
  readonly stderr: Terminal
  readonly color: boolean
  /** Calls back once, when the user interrupts. */
  onInterrupt(callback: () => void): void
}

const interruptedExitCode = 130
const workerFile = join(import.meta.dirname, `conformance.worker${extname(import.meta.filename)}`)

/** `twotoken run`: judges what the configuration describes, or the embedded reference. Returns the exit code. */
export async function run(options: RunOptions, environment: RunEnvironment): Promise<number> {
  const { stdout, stderr } = environment
  const checks = selected(await loadCatalogue(), options)
  await using stack = new AsyncDisposableStack()
  const configuration = await configurationOf(options, environment, stack)
  const out = resolve(
    environment.directory,
    options.out ??
      join(
        options.config === undefined ? environment.directory : configuration.directory,
        'twotoken-results',
      ),
  )
  await assertWritable(out)
  if (!options.keepGoing) await assertReachable(configuration, checks)

  const startedAt = new Date()
  const begun = performance.now()
  const seed = options.seed ?? randomBytes(4).readUInt32LE()
  const reports: CheckReport[] = []
  const progress = createProgress(stderr, () => performance.now())
  const finish = async (interrupted: boolean): Promise<RunResults> => {
    const results = resultsOf({
      target: configuration.name,
      startedAt,
      durationMs: performance.now() - begun,
      seed,
      interrupted,
      checks: applyWaivers(inOrder(checks, reports, interrupted), configuration.waivers, startedAt),
      exchanges: reports.flatMap(({ exchanges }): readonly Exchange[] => exchanges),
    })
    await write(results, out, reports)
    return results
  }

  let interrupted = false
  let running: RunningChecks | undefined
  const interruption = new Promise<'interrupted'>((stop) => {
    environment.onInterrupt(() => {
      interrupted = true
      stop('interrupted')
    })
  })
  const task = {
    configuration,
    ids: checks.map(({ id }) => id),
    wait: options.wait,
    seed,
    ...(await certificateOfDouble(configuration, out, stderr)),
  }
  running = await startChecks(workerFile, task, {
    onStarted: progress.started,
    onWaiting: progress.waiting,
    onReport(report) {
      if (interrupted) return
      reports.push(report)
      progress.finished(report)
    },
  })
  const failure = await Promise.race([
    running.finished.then(
      () => null,
      (error: unknown) => error,
    ),
    interruption,
  ])
  progress.end()
  const results = await finish(interrupted)
  if (failure !== null && !interrupted && reports.length < checks.length) throw failure

  if (options.json) stdout.write(`${JSON.stringify(results, null, 2)}\n`)
  const text = summaryText(results, { color: environment.color, reportPath: join(out, 'report.html') })
  ;(options.json ? stderr : stdout).write(text)
  if (interrupted) {
    await running.cancel()
    return interruptedExitCode
  }
  const warned = results.checks.some(({ verdict, waived }) => verdict === 'warn' && waived !== true)
  return results.outcome === 'conformant' && options.strict && warned ? 1 : exitCodeOfOutcome[results.outcome]
}

async function configurationOf(
  { config }: RunOptions,
  { directory, variables, stderr }: RunEnvironment,
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  if (config !== undefined) return await loadConfiguration(resolve(directory, config), variables)
  stderr.write('no configuration file: running against the embedded reference stack\n')
  const { startReference } = await import('../../fixtures/stack.ts')
  return stack.use(await startReference()).configuration
}

function selected(catalogue: readonly AnyCheck[], { suites, only }: RunOptions): AnyCheck[] {
  const known = catalogue.map(({ id }) => id)
  const ids = only?.map((id) => id.toUpperCase())
  for (const id of ids ?? [])
    if (!known.includes(id))
      throw new TwotokenError(
        'usage',
        `--only names ${id}, which is no requirement; did you mean ${closest(id, known)}?`,
      )
  const roles: readonly Role[] = ['mint', 'backend', 'signaling', 'flow', 'client', 'bundle']
  for (const suite of suites ?? [])
    if (!roles.includes(suite as Role))
      throw new TwotokenError(
        'usage',
        `--suite names ${suite}, which is no suite; there are ${roles.join(', ')}`,
      )
  const checks = catalogue.filter(
    ({ id, role }) => (ids?.includes(id) ?? true) && (suites?.includes(role) ?? true),
  )
  if (checks.length === 0)
    throw new TwotokenError('usage', 'the choice of --suite and --only leaves no requirement to judge')
  return checks
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

/** The backend under test has to trust the double's authority, so its file is named before anything is asked. */
async function certificateOfDouble(
  { backend }: Configuration,
  out: string,
  stderr: Terminal,
): Promise<{ doubleCertificate?: ServerCertificate }> {
  const { fakeMint } = backend ?? {}
  if (fakeMint?.tls !== true) return {}
  const { ca, ...doubleCertificate } = createServerCertificate({ names: [fakeMint.host] })
  const file = join(out, 'mint-double-ca.pem')
  await writeFileWhole(file, ca)
  stderr.write(`the mint double's certificate is signed by ${file}\n`)
  return { doubleCertificate }
}

async function assertWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new TwotokenError('usage', `--out ${folder} cannot be written: name a folder that can`, error)
  }
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

async function write(results: RunResults, out: string, reports: readonly CheckReport[]): Promise<void> {
  const redactor = createRedactor()
  for (const { kind, secret } of reports.flatMap(({ secrets }) => secrets)) redactor.register(kind, secret)
  const artefacts = {
    'results.json': `${JSON.stringify(results, null, 2)}\n`,
    'report.html': renderHtml(results),
  }
  for (const [name, text] of Object.entries(artefacts)) assertNoSecret(name, text, redactor)
  for (const [name, text] of Object.entries(artefacts)) await writeFileWhole(join(out, name), text)
}
