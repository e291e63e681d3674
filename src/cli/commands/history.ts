import { resolve } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { assertNoSecret } from '../../base/evidence/scan.ts'
import { onOneLine } from '../../base/printable.ts'
import { writeFileWhole } from '../../base/write-file.ts'
import { findFormat, listFormats } from '../../reports/formats.ts'
import { historyFormats } from '../../reports/history/formats.ts'
import { buildHistory, type History } from '../../reports/history/history.ts'
import { findResults, readNights } from '../../reports/history/read-nights.ts'
import type { RunEnvironment } from '../../run/options.ts'
import type { Output } from '../output/output.ts'

export interface HistoryOptions {
  /** Result files, or folders with result files at any depth. */
  readonly paths: readonly string[]
  readonly format: string
  /** Where to write; stdout where absent. */
  readonly out?: string
}

/**
 * `twotoken history`: results of many nights, regions and branches side by side. Returns 0 where it was rendered.
 * @throws TwotokenError `usage`, `unwritable` or `secret-in-output`
 */
export async function history(
  { paths, format, out }: HistoryOptions,
  { stdout, stderr, directory }: Output & Pick<RunEnvironment, 'directory'>,
): Promise<number> {
  const load = findFormat<History, []>(historyFormats, format)
  if (load === null)
    throw new TwotokenError('usage', `unknown format "${format}"; use one of ${listFormats(historyFormats)}`)
  const found = await readHistory(paths, directory)
  for (const { file, why } of found.unread) stderr.write(`left out: ${onOneLine(`${file} ${why}`)}\n`)
  const text = (await load())(found)
  assertNoSecret(out ?? `the ${format} of history`, text, createRedactor())
  if (out === undefined) stdout.write(text)
  else {
    await writeFileWhole(resolve(directory, out), text)
    stderr.write(`written to ${out}\n`)
  }
  return 0
}

/** @throws TwotokenError `usage` where no file is a result of a whole run */
export async function readHistory(paths: readonly string[], directory: string): Promise<History> {
  const files = (await Promise.all(paths.map((path) => findResults(resolve(directory, path))))).flat()
  const { nights, unread } = await readNights(files, directory)
  if (nights.length === 0)
    throw new TwotokenError(
      'usage',
      `${unread[0]?.file ?? paths.join(', ')} ${unread[0]?.why ?? 'is empty'}; give the output folders of runs`,
    )
  return buildHistory(nights, unread)
}
