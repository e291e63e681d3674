import { TwotokenError } from '../../base/errors.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { findFormat, listFormats, runFormats } from '../../reports/formats.ts'
import { readResults } from '../../reports/read-results.ts'
import type { Output } from '../output/output.ts'

/** `twotoken report`: renders a result file again; throws `usage` or `unwritable`. */
export async function report(
  { file, format, out }: { readonly file: string; readonly format: string; readonly out?: string },
  { stdout, stderr }: Output,
): Promise<number> {
  const load = findFormat(runFormats, format)
  if (load === null)
    throw new TwotokenError('usage', `unknown format "${format}"; use one of ${listFormats(runFormats)}`)
  const results = await readResults(file)
  const text = (await load())(results)
  if (out === undefined) stdout.write(text)
  else {
    await writeFileWhole(out, text)
    stderr.write(`written to ${out}\n`)
  }
  return 0
}
