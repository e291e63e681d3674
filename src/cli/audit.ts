import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { auditPaths } from '../audit/audit.ts'
import type { AuditResult } from '../audit/finding.ts'
import { TwotokenError } from '../errors.ts'
import { readToken } from '../tokens/decode.ts'

const auditFormats = ['text', 'json', 'sarif', 'junit'] as const

export interface AuditOptions {
  readonly paths: readonly string[]
  readonly format?: string
  readonly out?: string
  readonly baseline?: string
  readonly mintHost?: string
  /** A token that the mint issued. */
  readonly like?: string
  readonly strict?: boolean
  readonly allowIncomplete?: boolean
}

export interface AuditEnvironment {
  readonly directory: string
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

/** Loaded when they are needed: most of a short audit is the start of the process. */
const renderers: Readonly<Record<string, () => Promise<(result: AuditResult) => string>>> = {
  text: async () => (await import('../audit/report/text.ts')).renderText,
  json: async () => (await import('../audit/report/json.ts')).renderJson,
  sarif: async () => (await import('../audit/report/sarif.ts')).renderSarif,
  junit: async () => (await import('../audit/report/junit.ts')).renderJunit,
}

/** The mint's host as a configuration names it; `undefined` without one. */
export async function mintHostOf(
  config: string | undefined,
  { directory, variables }: { readonly directory: string; readonly variables: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  if (config === undefined) return undefined
  const { loadConfiguration } = await import('../configuration/load.ts')
  const { bundle, mint } = await loadConfiguration(resolve(directory, config), variables)
  return bundle?.mintHost ?? (mint && new URL(mint.url).host)
}

/** `twotoken audit`: 1 for a violation, 3 where something could not be read, 0 otherwise. */
export async function audit(options: AuditOptions, environment: AuditEnvironment): Promise<number> {
  const { directory, stdout, stderr } = environment
  const { format = 'text', mintHost, like, strict = false, allowIncomplete = false } = options
  const loadRenderer = Object.hasOwn(renderers, format) ? renderers[format] : undefined
  if (loadRenderer === undefined)
    throw new TwotokenError('usage', `--format is one of ${auditFormats.join(', ')}`)
  if (options.paths.length === 0)
    throw new TwotokenError('usage', 'name at least one file or folder to audit')
  if (like !== undefined && readToken(like.trim()) === null)
    throw new TwotokenError('usage', '--like is no JWT: give a token that the mint issued')
  const baseline =
    options.baseline === undefined ? null : await readBaseline(resolve(directory, options.baseline))

  const whole = await auditPaths(options.paths, directory, {
    ...(mintHost === undefined ? {} : { mintHost: hostOf(mintHost) }),
    ...(like === undefined ? {} : { like: [like.trim()] }),
    onProgress: createProgress(stderr),
  })
  const today = new Date().toISOString().slice(0, 10)
  const { result, stale } = baseline === null ? { result: whole, stale: [] } : baseline(whole, today)
  const render = await loadRenderer()
  await writeReport(
    render(result),
    options.out === undefined ? null : resolve(directory, options.out),
    stdout,
  )
  for (const entry of stale) stderr.write(`the baseline is stale: ${entry}\n`)
  return exitCode(result, { strict, allowIncomplete, isStale: stale.length > 0 })
}

/** Violations outrank gaps. */
function exitCode(
  { findings, gaps, audited }: AuditResult,
  { strict, allowIncomplete, isStale }: { strict: boolean; allowIncomplete: boolean; isStale: boolean },
): number {
  const isViolation = findings.some(({ level }) => level === 'error' || (strict && level === 'warning'))
  if (isViolation || isStale) return 1
  const isNothing = audited.every(({ entries }) => entries === 0)
  return (gaps.length > 0 && !allowIncomplete) || isNothing ? 3 : 0
}

async function writeReport(text: string, out: string | null, stdout: { write(text: string): unknown }) {
  if (out === null) {
    stdout.write(text)
    return
  }
  const { writeFileWhole } = await import('./write-file.ts')
  await writeFileWhole(out, text)
}

async function readBaseline(path: string) {
  const { applyBaseline, parseBaseline } = await import('../audit/baseline.ts')
  const baseline = parseBaseline(await read(path))
  return (result: AuditResult, today: string) => applyBaseline(result, baseline, today)
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new TwotokenError('usage', `the baseline ${path} cannot be read`, error)
  }
}

/** A whole URL is taken as well, since that is what people have at hand. */
function hostOf(text: string): string {
  return text.includes('://') && URL.canParse(text) ? new URL(text).host : text
}

function createProgress(stderr: { write(text: string): unknown }): (path: string, bytes: number) => void {
  let last = performance.now()
  return (_, bytes) => {
    if (performance.now() - last < 1000) return
    last = performance.now()
    stderr.write(`audited ${Math.round(bytes / 1_000_000)} MB so far\n`)
  }
}
