import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { type Formats, findFormat, listFormats } from '../reports/formats.ts'

/** A report that the command line asks for besides the usual output: `--report sarif=twotoken.sarif`. */
export interface AskedReport {
  readonly format: string
  readonly file: string
}

/** Reads `FORMAT=FILE` for commander; an unknown format ends the command before anything is judged. */
export function parseReport(
  formats: Readonly<Record<string, unknown>>,
): (text: string, before: readonly AskedReport[]) => AskedReport[] {
  return (text, before) => {
    const at = text.indexOf('=')
    const report = { format: text.slice(0, Math.max(at, 0)), file: text.slice(at + 1) }
    if (!Object.hasOwn(formats, report.format) || report.file === '')
      throw new InvalidArgumentError(`use FORMAT=FILE with one of ${listFormats(formats)}.`)
    return [...before, report]
  }
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
      render: await findFormat(formats, format)?.(),
    })),
  )
  return (subject) => Object.fromEntries(loaded.map(({ file, render }) => [file, render?.(subject) ?? '']))
}
