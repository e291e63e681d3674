import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { redactValues } from '../base/evidence/redact-values.ts'
import { createServerCertificate, type TestableCertificate } from '../base/tls/certificates.ts'
import { writeFileWhole } from '../base/write-file.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { type Leak, type RunResults, withLeaks } from '../reports/results.ts'
import { renderHtml } from '../reports/run/html.ts'

/**
 * Creates the folder of the results, before anything is judged.
 * @throws TwotokenError `usage` when nothing can be written there
 */
export async function assertWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new TwotokenError('usage', `--out ${folder} cannot be written: choose a writable folder`, error)
  }
}

/**
 * The certificate of a mint double that listens with TLS, and the file of its authority in the folder of the results: the
 * backend under test has to trust it, so the file is announced before the first request.
 */
export async function createDoubleCertificate(
  { backend }: Configuration,
  out: string,
  stderr: { write(text: string): unknown },
): Promise<{ doubleCertificate?: TestableCertificate }> {
  const { fakeMint } = backend ?? {}
  if (fakeMint?.tls !== true) return {}
  const { ca, ...doubleCertificate } = createServerCertificate({ names: [fakeMint.host] })
  const file = join(out, 'mint-double-ca.pem')
  await writeFileWhole(file, ca)
  stderr.write(`the mint double's certificate is signed by ${file}\n`)
  return { doubleCertificate }
}

/** The files of a run, with the results that the last scan for secrets has changed. */
export interface RunArtefacts {
  readonly results: RunResults
  /** By the name of the file. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * Renders the files of a run, with further ones by name. A last scan redacts every secret that is left in one of them:
 * such a leak is a fault of the suite, so the results name it and their outcome is `error`; no verdict is lost.
 */
export function renderArtefacts(
  judged: RunResults,
  redactor: Redactor,
  further: Readonly<Record<string, string>> = {},
): RunArtefacts {
  const { value, places } = redactValues(judged, redactor.text)
  const leaks: Leak[] = places.map((at) => ({ file: 'results.json', at }))
  const scan = (file: string, text: string): string => {
    const clean = redactor.text(text)
    if (clean !== text) leaks.push({ file, at: `line ${firstDifferentLine(text, clean)}` })
    return clean
  }
  const shown = Object.fromEntries(Object.entries(further).map(([file, text]) => [file, scan(file, text)]))
  const html = scan('report.html', renderHtml(value))
  const results = withLeaks(value, leaks)
  const json = `${JSON.stringify(results, null, 2)}\n`
  return {
    results,
    files: {
      'results.json': scanLines(json, redactor),
      'report.html': leaks.length === 0 ? html : redactor.text(renderHtml(results)),
      ...shown,
    },
  }
}

/** Most lines of the results come again and again: each is searched once. */
function scanLines(text: string, redactor: Redactor): string {
  const once = [...new Set(text.split('\n'))].join('\n')
  return redactor.text(once) === once ? text : redactor.text(text)
}

/** The error that names the leaks to the user; null without one. */
export function leakOf({ leaks = [] }: RunResults): TwotokenError | null {
  const [first] = leaks
  if (first === undefined) return null
  const others = leaks.length === 1 ? '' : ` and ${leaks.length - 1} other places`
  return new TwotokenError(
    'secret-in-output',
    `${first.file} would have contained a secret at ${first.at}${others}; it was redacted before writing. Please report this bug in twotoken`,
  )
}

function firstDifferentLine(text: string, clean: string): number {
  const lines = clean.split('\n')
  return text.split('\n').findIndex((line, index) => line !== lines[index]) + 1
}

/**
 * Writes every file that can be written, whole.
 * @returns the first error, to print after the verdicts; null when all files are written
 */
export async function writeArtefacts(
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
