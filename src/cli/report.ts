import { TwotokenError } from '../errors.ts'
import { createRedactor } from '../evidence/redact.ts'
import { assertNoSecret } from '../evidence/scan.ts'
import { renderGithub } from '../reports/github.ts'
import { renderHtml } from '../reports/html.ts'
import { renderJunit } from '../reports/junit.ts'
import { renderMarkdown } from '../reports/markdown.ts'
import { readResults } from '../reports/read.ts'
import type { RunResults } from '../reports/results.ts'
import type { Output } from './output.ts'
import { writeFileWhole } from './write-file.ts'

const formats: Readonly<Record<string, (run: RunResults) => string>> = {
  html: renderHtml,
  github: renderGithub,
  junit: renderJunit,
  markdown: renderMarkdown,
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
  const text = render(await readResults(file))
  assertNoSecret(out ?? `the ${format} report`, text, createRedactor())
  if (out === undefined) stdout.write(text)
  else {
    await writeFileWhole(out, text)
    stderr.write(`written to ${out}\n`)
  }
  return 0
}
