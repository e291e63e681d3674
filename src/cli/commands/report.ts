import { TwotokenError } from '../../base/errors.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { assertNoSecret } from '../../base/evidence/scan.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { renderBadge, renderBadgeJson } from '../../reports/badge.ts'
import { renderCtrf } from '../../reports/ctrf.ts'
import { renderGithub } from '../../reports/github.ts'
import { renderHtml } from '../../reports/html.ts'
import { renderJunit } from '../../reports/junit.ts'
import { renderMarkdown } from '../../reports/markdown.ts'
import { readResults } from '../../reports/read.ts'
import type { RunResults } from '../../reports/results.ts'
import { renderSarif } from '../../reports/sarif.ts'
import type { Output } from '../output/output.ts'

const formats: Readonly<Record<string, (run: RunResults) => string>> = {
  html: renderHtml,
  github: renderGithub,
  junit: renderJunit,
  sarif: renderSarif,
  markdown: renderMarkdown,
  ctrf: renderCtrf,
  badge: renderBadge,
  'badge-json': renderBadgeJson,
}

export interface ReportOptions {
  /** The `results.json`. */
  readonly file: string
  readonly format: string
  /** Where to write; stdout where absent. */
  readonly out?: string
}

/**
 * `twotoken report`: renders a result file again.
 * @throws TwotokenError `usage`, `unwritable` or `secret-in-output`
 */
export async function report(
  { file, format, out }: ReportOptions,
  { stdout, stderr }: Output,
): Promise<number> {
  const render = Object.hasOwn(formats, format) ? formats[format] : undefined
  if (render === undefined)
    throw new TwotokenError(
      'usage',
      `--format ${format} is not there; there are ${Object.keys(formats).join(', ')}`,
    )
  const results = await readResults(file)
  const text = render(results)
  const name = out ?? `the ${format} report`
  assertNoSecret(name, text, createRedactor())
  // What a form escapes, as Markdown does with an underscore, hides a secret from that look.
  assertNoSecret(name, JSON.stringify(results), createRedactor())
  if (out === undefined) stdout.write(text)
  else {
    await writeFileWhole(out, text)
    stderr.write(`written to ${out}\n`)
  }
  return 0
}
