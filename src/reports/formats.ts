import type { AuditResult } from '../../audit/src/api.ts'
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

export function findFormat<Subject>(
  formats: Formats<Subject>,
  name: string,
): Formats<Subject>[string] | null {
  return (Object.hasOwn(formats, name) ? formats[name] : null) ?? null
}

/** The names as an error lists them: "text, json, junit". */
export function listFormats(formats: Readonly<Record<string, unknown>>): string {
  return Object.keys(formats).join(', ')
}

/** The names as the help of `--format` offers them: "text, json or junit". */
export function offerFormats(formats: Readonly<Record<string, unknown>>): string {
  return listFormats(formats).replace(/, ([^,]+)$/, ' or $1')
}
