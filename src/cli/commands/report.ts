import { writeFileWhole } from '../../base/write-file.ts'
import { loadFormat, runFormats } from '../../reports/formats.ts'
import { readResults } from '../../reports/read-results.ts'
import type { Output } from '../output/output.ts'

/** `twotoken report`: renders a result file again; throws `usage` or `unwritable`. */
export async function report(
  { file, format, out }: { readonly file: string; readonly format: string; readonly out?: string },
  { stdout, stderr }: Output,
): Promise<number> {
  const render = await loadFormat(runFormats, format)
  const text = render(await readResults(file))
  if (out === undefined) stdout.write(text)
  else {
    await writeFileWhole(out, text)
    stderr.write(`written to ${out}\n`)
  }
  return 0
}
