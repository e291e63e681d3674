import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type AuditResult,
  auditPaths,
  loadBaseline,
  modelOf,
  observedModel,
  type TokenModel,
} from '../../../audit/src/api.ts'
import { TwotokenError, withOwnErrors } from '../../base/errors.ts'
import { onOneLine } from '../../base/printable.ts'
import {
  type AskedReport,
  type AuditFormat,
  auditFormats,
  loadFormat,
  loadReports,
} from '../../reports/formats.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { showAuditProgress } from '../output/audit-progress.ts'

const usualFormat: AuditFormat = 'text'

export interface AuditOptions {
  readonly paths: readonly string[]
  readonly format?: string
  readonly out?: string
  readonly report?: readonly AskedReport[]
  readonly baseline?: string
  /** A file for a baseline of what is found, with its reason and its last day. */
  readonly writeBaseline?: string
  readonly reason?: string
  readonly expires?: string
  readonly mintHost?: string | undefined
  /** Tokens that the mint issued, or the `results.json` of a run that recorded some. */
  readonly like?: string | readonly string[]
  /** The prefix of the service's keys, and the smallest number of characters behind it. */
  readonly keyPrefix?: string | undefined
  readonly keyMinLength?: number | undefined
  readonly strict?: boolean
  readonly allowIncomplete?: boolean
  readonly quiet?: boolean
  /** How long folding one script may take of a processor. */
  readonly fileSeconds?: number
}

export type AuditEnvironment = Pick<RunEnvironment, 'directory' | 'stdout' | 'stderr'> &
  Partial<Pick<RunEnvironment, 'variables'>>

/** The audit's options in a configuration: the mint's host, and the shape of keys. Empty without one. */
export async function configuredAudit(
  config: string | undefined,
  { directory, variables }: { readonly directory: string; readonly variables: NodeJS.ProcessEnv },
): Promise<Pick<AuditOptions, 'mintHost' | 'keyPrefix' | 'keyMinLength'>> {
  if (config === undefined) return {}
  const { loadConfiguration } = await import('../../configuration/load.ts')
  const { bundle, mint } = await loadConfiguration(resolve(directory, config), variables)
  const mintHost = bundle?.mintHost ?? (mint && new URL(mint.url).host)
  const { prefix, minLength } = bundle?.key ?? {}
  return { mintHost, keyPrefix: prefix, keyMinLength: minLength }
}

/** `twotoken audit`: returns 1 for a violation, 3 for content that could not be read, 0 otherwise. */
export async function audit(options: AuditOptions, environment: AuditEnvironment): Promise<number> {
  const { directory, stdout, stderr } = environment
  const render = await loadFormat(auditFormats, options.format ?? usualFormat)
  const renderAsked = await loadReports(options.report, auditFormats, directory)
  if (options.paths.length === 0)
    throw new TwotokenError('usage', 'no path is given; name at least one file or folder to audit')
  const acceptance = acceptanceOf(options)
  const settings = await settingsOf(options, directory)
  const baseline = await withOwnErrors(readBaseline(options.baseline, directory))

  const progress = progressOn(environment, options)
  const whole = await withOwnErrors(
    auditPaths(options.paths, directory, { ...settings, onProgress: progress?.read }),
  )
  progress?.end()
  const { result, stale } = await applyBaselines(whole, { baseline, acceptance }, environment)
  const text = render(result)
  if (options.out === undefined) stdout.write(text)
  else await writeReport(resolve(directory, options.out), text)
  for (const [file, asked] of Object.entries(renderAsked(result))) await writeReport(file, asked)
  for (const entry of stale) stderr.write(`stale baseline entry: ${onOneLine(entry)}\n`)
  return stale.length > 0 ? 1 : exitCode(result, options)
}

/** @throws TwotokenError `usage` where an option of a written baseline is missing */
function acceptanceOf({ writeBaseline: file, reason, expires }: AuditOptions) {
  if (file === undefined && reason === undefined && expires === undefined) return null
  if (file === undefined || (reason ?? '').trim() === '' || expires === undefined)
    throw new TwotokenError(
      'usage',
      'a baseline needs all of --write-baseline FILE, --reason TEXT and --expires DAY',
    )
  return { file, reason: reason ?? '', expires }
}

interface Baselines {
  readonly baseline: Awaited<ReturnType<typeof readBaseline>>
  readonly acceptance: ReturnType<typeof acceptanceOf>
}

/** Leaves out what the given baseline accepts, then writes the asked one and leaves out what that accepts. */
async function applyBaselines(
  whole: AuditResult,
  { baseline, acceptance }: Baselines,
  { directory, stderr }: AuditEnvironment,
): Promise<{ readonly result: AuditResult; readonly stale: readonly string[] }> {
  if (baseline === null && acceptance === null) return { result: whole, stale: [] }
  const { applyBaseline, makeBaseline } = await loadBaseline()
  const today = new Date().toISOString().slice(0, 10)
  const known = applyBaseline(whole, baseline ?? { findings: [] }, today)
  if (acceptance === null) return known
  const { file, ...entry } = acceptance
  const made = makeBaseline(known.result, entry)
  await writeReport(resolve(directory, file), `${JSON.stringify(made, null, 2)}\n`)
  const count = made.findings.length
  const findings = `${count} accepted finding${count === 1 ? '' : 's'}`
  stderr.write(`${onOneLine(`wrote ${file}: ${findings}, added ones until ${entry.expires}`)}\n`)
  // The written baseline accepts all that the older one does.
  return { result: applyBaseline(whole, made, '').result, stale: [] }
}

async function settingsOf(options: Omit<AuditOptions, 'paths'>, directory: string) {
  const { mintHost, like, keyPrefix, keyMinLength, fileSeconds } = options
  return {
    mintHost: mintHost?.includes('://') && URL.canParse(mintHost) ? new URL(mintHost).host : mintHost,
    prefix: keyPrefix,
    leastSuffix: keyMinLength,
    limits: fileSeconds === undefined ? undefined : { fileSeconds },
    like: await Promise.all([like ?? []].flat().map((given) => modelFor(given, directory))),
  }
}

/** The shape of the mint's tokens, from one of them or from the observations of a run. */
async function modelFor(given: string, directory: string): Promise<TokenModel> {
  const model = modelOf(given.trim())
  if (model !== null) return model
  if (!given.endsWith('.json'))
    throw new TwotokenError(
      'usage',
      '--like is not a JWT: give a token issued by the mint, or the results.json of a run that recorded some',
    )
  const { readResults } = await import('../../reports/read-results.ts')
  const { observations } = await readResults(resolve(directory, given))
  const observed = observedModel(observations)
  if (observed !== null) return observed
  throw new TwotokenError(
    'usage',
    `${given} has no recorded token of the mint (MINT-03): give a token with --like`,
  )
}

/** Violations outrank gaps. */
function exitCode(
  { findings, gaps, audited }: AuditResult,
  { strict = false, allowIncomplete = false }: Pick<AuditOptions, 'strict' | 'allowIncomplete'>,
): number {
  const isViolation = findings.some(({ level }) => level === 'error' || (strict && level === 'warning'))
  if (isViolation) return 1
  const isNothing = audited.every(({ entries }) => entries === 0)
  return (gaps.length > 0 && !allowIncomplete) || isNothing ? 3 : 0
}

async function writeReport(file: string, text: string): Promise<void> {
  const { writeFileWhole } = await import('../../base/write-file.ts')
  await writeFileWhole(file, text)
}

async function readBaseline(file: string | undefined, directory: string) {
  if (file === undefined) return null
  const path = resolve(directory, file)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new TwotokenError('usage', `cannot read the baseline ${path}`, error)
  })
  const { parseBaseline } = await loadBaseline()
  return parseBaseline(text)
}

/** Formats that programs read, often from a stream that both outputs share. */
const forPrograms: ReadonlySet<string> = new Set<AuditFormat>(['json', 'sarif', 'junit'])

/** `null` where no one watches a terminal, or a program reads it. */
function progressOn(
  { stderr, variables = {} }: AuditEnvironment,
  { format = usualFormat, out, quiet = false }: AuditOptions,
) {
  const isForPrograms = out === undefined && forPrograms.has(format)
  const { CI, TERM } = variables
  if (!stderr.isTTY || quiet || isForPrograms || (CI ?? '') !== '' || TERM === 'dumb') return null
  return showAuditProgress(stderr, () => performance.now())
}
