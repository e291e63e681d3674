import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import type { Mask } from '../../base/evidence/mask/mask.ts'
import { maskExchange, sentNames } from '../../base/evidence/mask/mask-exchange.ts'
import { createFingerprintKey, createRedactor, registerAll } from '../../base/evidence/redact.ts'
import { assertNoSecret } from '../../base/evidence/scan.ts'
import { onOneLine } from '../../base/printable.ts'
import { tellingIn } from '../../base/told-wait.ts'
import { version } from '../../base/version.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { type Detection, detect as detectParts, type Found } from '../../detect/detect.ts'
import { parseHint } from '../../detect/hint.ts'
import type { FoundMint } from '../../detect/mint.ts'
import { renderDetection, renderEvidence, selectCitedExchanges } from '../../detect/render-text.ts'
import { insertSetting, type Setting, toSettings } from '../../detect/write-yaml.ts'
import { inertJson, writeJson } from '../../reports/escape.ts'
import { maskOf } from '../../reports/mask-results.ts'
import { loadStarted } from '../../run/load-started.ts'
import { preflight } from '../../run/preflight/preflight.ts'
import type { Output } from '../output/output.ts'

export interface DetectCommand {
  readonly config?: string
  readonly write: boolean
  /** Replaces an existing profile. */
  readonly force: boolean
  readonly json: boolean
  /** Waits for a token to expire. */
  readonly wait: boolean
  /** Carriages to try first, as YAML. */
  readonly hints: readonly string[]
  /** Gives up before it has minted more. */
  readonly maxMints?: number
}

export interface DetectEnvironment extends Output {
  readonly directory: string
  readonly variables: NodeJS.ProcessEnv
}

/**
 * `twotoken detect`: finds out how an implementation does what the specification leaves open. Returns 0 where all of
 * it was found, else 3.
 * @throws TwotokenError `configuration`, `credential`, `precondition` or `usage`, before anything is tried
 */
export async function detect(options: DetectCommand, environment: DetectEnvironment): Promise<number> {
  const { directory, variables, stderr } = environment
  const file = resolve(directory, options.config ?? 'twotoken.yaml')
  const hints = options.hints.map(parseHint)
  await using stack = new AsyncDisposableStack()
  const { signal } = new AbortController()
  const loading = { variables, stderr, signal, contactedBy: ['mint', 'signaling'] as const }
  const { configuration } = await loadStarted(file, loading, stack)
  const { mint, signaling } = configuration
  if (mint === undefined && signaling === undefined)
    throw new TwotokenError(
      'configuration',
      `${file} configures neither mint nor signaling: add mint.url with its key, or signaling.url`,
    )
  if (options.write && !options.force && signaling?.access !== undefined)
    throw new TwotokenError(
      'usage',
      `${file} already has a signaling profile or adapter: remove --write, or replace the profile with --force`,
    )
  if (options.write && signaling?.access !== undefined && 'adapter' in signaling.access)
    throw new TwotokenError(
      'usage',
      `${file} has a signaling adapter, which excludes a profile: remove the adapter, or remove --write`,
    )
  const roles = [
    ...(mint === undefined ? [] : (['mint'] as const)),
    ...(signaling === undefined ? [] : (['signaling'] as const)),
  ]
  const problems = await preflight(withoutProfile(configuration), {
    parts: roles,
    tellWait: tellingIn(stderr),
  })
  const fatal = problems.filter((problem) => problem.fatal)
  if (fatal.length > 0)
    throw new TwotokenError(
      'precondition',
      `detection did not start:\n  ${fatal.map(({ part, message }) => `${part}: ${onOneLine(message)}`).join('\n  ')}`,
    )
  // Where the tokens come from the backend, what it lacks decides whether anything can be detected.
  for (const { part, message } of problems)
    if (part === 'backend') stderr.write(`${part}: ${onOneLine(message)}\n`)
  const detection = await detectParts(configuration, {
    parts: roles,
    hints,
    wait: options.wait,
    bounds: options.maxMints === undefined ? {} : { mints: options.maxMints },
    onProgress: (what) => void stderr.write(`trying ${onOneLine(what)}\n`),
  })
  await show(maskDetection(detection, configuration), options, environment)
  if (options.write) await writeSettings(toSettings(detection), file, stderr)
  return roles.every((role) => 'found' in detection[role]) ? 0 : 3
}

/** A profile that is wrong is a reason to detect one. */
function withoutProfile(configuration: Configuration): Configuration {
  if (configuration.signaling === undefined) return configuration
  const { access: _, ...signaling } = configuration.signaling
  return { ...configuration, signaling }
}

/** A detection that shows of its exchanges what is known to be harmless. What goes into the profile stays. */
function maskDetection(detection: Detection, configuration: Configuration): Detection {
  const { mint, signaling, exchanges, secrets } = detection
  const redactor = createRedactor()
  registerAll(secrets, redactor)
  const fingerprintKey = createFingerprintKey()
  const mask = maskOf(sentNames(exchanges), { configuration, redactor, fingerprintKey })
  const maskMissing = <Part>(part: Found<Part>): Found<Part> =>
    'missing' in part ? { missing: mask.sentence(part.missing) } : part
  const found = maskMissing(mint)
  return {
    ...detection,
    mint: 'missing' in found ? found : { found: maskMint(found.found, mask) },
    signaling: maskMissing(signaling),
    exchanges: exchanges.map((exchange) => maskExchange(exchange, mask)),
  }
}

/** The names in the bodies of refusals go into no profile. */
function maskMint(found: FoundMint, { text }: Mask): FoundMint {
  return { ...found, errors: found.errors.map(({ what, shape }) => ({ what, shape: text(shape) })) }
}

export async function show(
  detection: Detection,
  { json }: Pick<DetectCommand, 'json'>,
  { stdout, stderr }: Output,
): Promise<void> {
  const { secrets, exchanges: _, ...found } = detection
  const redactor = createRedactor()
  registerAll(secrets, redactor)
  const data = { tool: { name: 'twotoken', version }, ...found, exchanges: selectCitedExchanges(detection) }
  const text = json ? writeJson(data) : inertJson(renderDetection(detection, onOneLine))
  const evidence = renderEvidence(detection, onOneLine)
  assertNoSecret('what detect prints', text + evidence, redactor)
  stderr.write(evidence)
  stdout.write(text)
}

/** Puts settings into the configuration file; what else is in it stays. */
async function writeSettings(
  settings: readonly Setting[],
  file: string,
  stderr: Output['stderr'],
): Promise<void> {
  const before = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new TwotokenError('configuration', `${file} cannot be read: run npx twotoken init first`, error)
  })
  const after = settings.reduce(insertSetting, before)
  if (settings.length === 0) return void stderr.write(`nothing was detected; ${file} is unchanged\n`)
  await writeFileWhole(file, after)
  stderr.write(`written to ${file}: ${settings.map(({ part, key }) => `${part}.${key}`).join(', ')}\n`)
}
