import { resolve } from 'node:path'
import type { AuditResult } from '../../audit/src/api.ts'
import { TwotokenError } from '../base/errors.ts'
import type { RunResults } from './results.ts'

/** The formats of a report by name. Each is loaded only when it is asked for: most of a short audit is the start. */
export type Formats<Subject> = Readonly<Record<string, () => Promise<(subject: Subject) => string>>>

export const runFormats = {
  html: async () => (await import('./run/html.ts')).renderHtml,
  github: async () => (await import('./run/github.ts')).renderGithub,
  junit: async () => (await import('./run/junit.ts')).renderJunit,
  sarif: async () => (await import('./run/sarif.ts')).renderSarif,
  markdown: async () => (await import('./run/markdown.ts')).renderMarkdown,
  ctrf: async () => (await import('./run/ctrf.ts')).renderCtrf,
} satisfies Formats<RunResults>

export const auditFormats = {
  text: async () => (await import('./audit/text.ts')).renderAuditText,
  json: async () => (await import('./audit/json.ts')).renderAuditJson,
  sarif: async () => (await import('./audit/sarif.ts')).renderAuditSarif,
  junit: async () => (await import('./audit/junit.ts')).renderAuditJunit,
  html: async () => (await import('./audit/html.ts')).renderAuditHtml,
} satisfies Formats<AuditResult>

export type RunFormat = keyof typeof runFormats
export type AuditFormat = keyof typeof auditFormats

/** Loads the renderer of a format; throws TwotokenError `usage` with the known ones. */
export async function loadFormat<Subject>(
  formats: Formats<Subject>,
  name: string,
): Promise<(subject: Subject) => string> {
  const load = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (load !== undefined) return await load()
  throw new TwotokenError('usage', `unknown format "${name}"; use one of ${listFormats(formats)}`)
}

/** A report that the command line asks for besides the usual output: `--report sarif=twotoken.sarif`. */
export interface AskedReport {
  readonly format: string
  readonly file: string
}

/** Loads the formats; the function that comes back gives the text of each asked report, by its absolute path. */
export async function loadReports<Subject>(
  asked: readonly AskedReport[] | undefined,
  formats: Formats<Subject>,
  directory: string,
): Promise<(subject: Subject) => Record<string, string>> {
  const loaded = await Promise.all(
    (asked ?? []).map(async ({ format, file }) => ({
      file: resolve(directory, file),
      render: await loadFormat(formats, format),
    })),
  )
  return (subject) => Object.fromEntries(loaded.map(({ file, render }) => [file, render(subject)]))
}

/** The names as an error lists them: "text, json, junit". */
export function listFormats(formats: Readonly<Record<string, unknown>>): string {
  return Object.keys(formats).join(', ')
}

/** The names as the help of `--format` offers them: "text, json or junit". */
export function offerFormats(formats: Readonly<Record<string, unknown>>): string {
  return listFormats(formats).replace(/, ([^,]+)$/, ' or $1')
}
