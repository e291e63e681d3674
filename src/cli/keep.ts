import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TwotokenError } from '../errors.ts'
import { createRedactor, type Registered } from '../evidence/redact.ts'
import { assertNoSecret } from '../evidence/scan.ts'
import { renderHtml } from '../reports/html.ts'
import type { RunResults } from '../reports/results.ts'
import { writeFileWhole } from './write-file.ts'

/**
 * Makes the folder of the results, before anything is judged.
 * @throws TwotokenError `usage` when nothing can be written there
 */
export async function assertWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new TwotokenError('usage', `--out ${folder} cannot be written: name a folder that can`, error)
  }
}

/**
 * The files of a run, by name, once a last look has found no secret in any of them.
 * @throws TwotokenError `secret-in-output`
 */
export function artefactsOf(
  results: RunResults,
  secrets: readonly Registered[],
  logs: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const redactor = createRedactor()
  for (const { kind, secret } of secrets) redactor.register(kind, secret)
  const artefacts: Record<string, string> = {
    'results.json': `${JSON.stringify(results, null, 2)}\n`,
    'report.html': renderHtml(results),
    ...logs,
  }
  for (const [name, text] of Object.entries(artefacts)) assertNoSecret(name, text, redactor)
  return artefacts
}

/**
 * Writes every file that can be written, whole.
 * @returns what kept one from being written, for the user to read after what was judged; null when all are there
 */
export async function keep(folder: string, artefacts: Record<string, string>): Promise<TwotokenError | null> {
  let failure: TwotokenError | null = null
  for (const [name, text] of Object.entries(artefacts))
    await writeFileWhole(join(folder, name), text).catch((error: TwotokenError) => {
      failure ??= error
    })
  return failure
}
