import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { redactValues } from '../base/evidence/redact-values.ts'
import { writeFileWhole } from '../base/write-file.ts'
import { type Leak, type RunResults, withLeaks } from '../reports/results.ts'
import { renderHtml } from '../reports/run/html.ts'

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

/** What is written of a run, and what the last look hid in it. */
export interface RunArtefacts {
  readonly results: RunResults
  /** By the name of the file. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * The files of a run, with further ones by name. The last look before they are written hides every secret that is still in one of them: such a leak
 * is the suite's own fault, so the results name it and come to `error`, and nothing that was judged is lost.
 */
export function artefactsOf(
  judged: RunResults,
  redactor: Redactor,
  further: Readonly<Record<string, string>> = {},
): RunArtefacts {
  const { value, places } = redactValues(judged, redactor)
  const leaks: Leak[] = places.map((at) => ({ file: 'results.json', at }))
  const look = (file: string, text: string): string => {
    const clean = redactor.text(text)
    if (clean !== text) leaks.push({ file, at: `line ${firstDifferentLine(text, clean)}` })
    return clean
  }
  const shown = Object.fromEntries(Object.entries(further).map(([file, text]) => [file, look(file, text)]))
  const html = look('report.html', renderHtml(value))
  const results = withLeaks(value, leaks)
  const json = `${JSON.stringify(results, null, 2)}\n`
  return {
    results,
    files: {
      'results.json': redactor.text(json),
      'report.html': leaks.length === 0 ? html : redactor.text(renderHtml(results)),
      ...shown,
    },
  }
}

/** What the user is told of leaks; null where there is none. */
export function leakOf({ leaks = [] }: RunResults): TwotokenError | null {
  const [first] = leaks
  if (first === undefined) return null
  const others = leaks.length === 1 ? '' : ` and ${leaks.length - 1} other places`
  return new TwotokenError(
    'secret-in-output',
    `${first.file} would have shown a secret at ${first.at}${others}; it was redacted before it was written. Please report this fault of the suite`,
  )
}

function firstDifferentLine(text: string, clean: string): number {
  const lines = clean.split('\n')
  return text.split('\n').findIndex((line, index) => line !== lines[index]) + 1
}

/**
 * Writes every file that can be written, whole.
 * @returns what kept one from being written, for the user to read after what was judged; null when all are there
 */
export async function keep(
  folder: string,
  artefacts: Readonly<Record<string, string>>,
): Promise<TwotokenError | null> {
  let failure: TwotokenError | null = null
  for (const [name, text] of Object.entries(artefacts))
    await writeFileWhole(join(folder, name), text).catch((error: TwotokenError) => {
      failure ??= error
    })
  return failure
}
