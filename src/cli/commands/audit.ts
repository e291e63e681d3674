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
  type AuditFormat,
  auditFormats,
  type Formats,
  findFormat,
  listFormats,
} from '../../reports/formats.ts'
import { type AskedReport, loadReports } from '../asked-reports.ts'
import { type AuditProgress, showAuditProgress } from '../output/audit-progress.ts'

const usualFormat: AuditFormat = 'text'

export interface AuditOptions {
  readonly paths: readonly string[]
  readonly format?: string
  readonly out?: string
  /** Reports besides the one of `format`. */
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
  /** Shows no progress. */
  readonly quiet?: boolean
  /** How long folding one script may take of a processor. */
  readonly fileSeconds?: number
}

export interface AuditEnvironment {
  readonly directory: string
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }
  readonly variables?: NodeJS.ProcessEnv
}

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
  return {
    mintHost,
    keyPrefix: prefix,
    keyMinLength: minLength,
  }
}

/** `twotoken audit`: returns 1 for a violation, 3 for content that could not be read, 0 otherwise. */
export async function audit(
  options: AuditOptions,
  environment: AuditEnvironment,
  formats: Formats<AuditResult> = auditFormats,
): Promise<number> {
  const { directory, stdout, stderr } = environment
  const { format = usualFormat } = options
  const loadRenderer = findFormat(formats, format)
  if (loadRenderer === null)
    throw new TwotokenError('usage', `unknown format "${format}"; use one of ${listFormats(formats)}`)
  if (options.paths.length === 0)
    throw new TwotokenError('usage', 'no path is given; name at least one file or folder to audit')
  const acceptance = acceptanceOf(options)
  const settings = await settingsOf(options, directory)
  const baseline =
    options.baseline === undefined
      ? null
      : await withOwnErrors(readBaseline(resolve(directory, options.baseline)))

  const progress = progressOn(environment, options)
  const whole = await withOwnErrors(
    auditPaths(options.paths, directory, { ...settings, onProgress: progress?.read }),
  )
  progress?.end()
  const today = new Date().toISOString().slice(0, 10)
  const judged = baseline === null ? { result: whole, stale: [] } : baseline(whole, today)
  const result = acceptance === null ? judged.result : await accept(judged.result, acceptance, environment)
  const stale = acceptance === null ? judged.stale : []
  const render = await loadRenderer()
  const renderAsked = await loadReports(options.report, formats, directory)
  await writeReport(
    render(result),
    options.out === undefined ? null : resolve(directory, options.out),
    stdout,
  )
  for (const [file, text] of Object.entries(renderAsked(result))) await writeReport(text, file, stdout)
  for (const entry of stale) stderr.write(`stale baseline entry: ${onOneLine(entry)}\n`)
  return stale.length > 0 ? 1 : exitCode(result, options)
}

interface Acceptance {
  readonly file: string
  readonly reason: string
  readonly expires: string
}

/** @throws TwotokenError `usage` where an option of a written baseline is missing */
function acceptanceOf({ writeBaseline: file, reason, expires }: AuditOptions): Acceptance | null {
  if (file === undefined && reason === undefined && expires === undefined) return null
  if (file === undefined || (reason ?? '').trim() === '' || expires === undefined)
    throw new TwotokenError(
      'usage',
      'a baseline needs all of --write-baseline FILE, --reason TEXT and --expires DAY',
    )
  return { file, reason: reason ?? '', expires }
}

/** Writes the baseline, and gives what it leaves of the result. */
async function accept(
  result: AuditResult,
  { file, reason, expires }: Acceptance,
  { directory, stderr }: AuditEnvironment,
): Promise<AuditResult> {
  const { applyBaseline, makeBaseline } = await loadBaseline()
  const made = makeBaseline(result, { reason, expires })
  await writeReport(`${JSON.stringify(made, null, 2)}\n`, resolve(directory, file), stderr)
  const count = made.findings.length
  stderr.write(
    onOneLine(
      `wrote ${file}: ${count} accepted finding${count === 1 ? '' : 's'}, added ones until ${expires}`,
    ),
  )
  stderr.write('\n')
  const accepted = result.accepted ?? []
  const left = applyBaseline(result, made, '').result
  return { ...left, accepted: [...accepted, ...(left.accepted ?? [])] }
}

async function settingsOf(options: Omit<AuditOptions, 'paths'>, directory: string) {
  const { mintHost, like, keyPrefix, keyMinLength, fileSeconds } = options
  return {
    mintHost: mintHost === undefined ? undefined : hostOf(mintHost),
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

async function writeReport(text: string, out: string | null, stdout: { write(text: string): unknown }) {
  if (out === null) {
    stdout.write(text)
    return
  }
  const { writeFileWhole } = await import('../../base/write-file.ts')
  await writeFileWhole(out, text)
}

async function readBaseline(path: string) {
  const { applyBaseline, parseBaseline } = await loadBaseline()
  const baseline = parseBaseline(await read(path))
  return (result: AuditResult, today: string) => applyBaseline(result, baseline, today)
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new TwotokenError('usage', `cannot read the baseline ${path}`, error)
  }
}

/** Accepts a whole URL as well. */
function hostOf(text: string): string {
  return text.includes('://') && URL.canParse(text) ? new URL(text).host : text
}

/** Formats that programs read, often from a stream that both outputs share. */
const forPrograms: ReadonlySet<string> = new Set<AuditFormat>(['json', 'sarif', 'junit'])

/** `null` where no one watches a terminal, or a program reads it. */
function progressOn(
  { stderr, variables = {} }: AuditEnvironment,
  { format = usualFormat, out, quiet = false }: AuditOptions,
): AuditProgress | null {
  const isForPrograms = out === undefined && forPrograms.has(format)
  const { CI, TERM } = variables
  if (stderr.isTTY !== true || quiet || isForPrograms || (CI ?? '') !== '' || TERM === 'dumb') return null
  const terminal = {
    isTTY: true,
    get columns() {
      return stderr.columns ?? 80
    },
    write: (text: string) => void stderr.write(text),
  }
  return showAuditProgress(terminal, () => performance.now())
}
