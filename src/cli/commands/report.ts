import { TwotokenError } from '../../base/errors.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { type Formats, findFormat, listFormats, runFormats } from '../../reports/formats.ts'
import { readResults } from '../../reports/read-results.ts'
import type { RunResults } from '../../reports/results.ts'
import type { Output } from '../output/output.ts'

export interface ReportOptions {
  /** The `results.json`. */
  readonly file: string
  readonly format: string
  /** Where to write; stdout where absent. */
  readonly out?: string
}

/** `twotoken report`: renders a result file again; throws `usage` or `unwritable`. */
export async function report(
  { file, format, out }: ReportOptions,
  { stdout, stderr }: Output,
  formats: Formats<RunResults> = runFormats,
): Promise<number> {
  const load = findFormat(formats, format)
  if (load === null)
    throw new TwotokenError('usage', `unknown format "${format}"; use one of ${listFormats(formats)}`)
  const results = await readResults(file)
  const render = await load()
  const text = render(results)
  if (out === undefined) stdout.write(text)
  else {
    await writeFileWhole(out, text)
    stderr.write(`written to ${out}\n`)
  }
  return 0
}
