import { access, constants, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { onOneLine } from '../base/printable.ts'
import { createServerCertificate, type TestableCertificate } from '../base/tls/certificates.ts'
import { writeFileWhole } from '../base/write-file.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { escapeMarkup } from '../reports/escape.ts'
import { redactResults } from '../reports/redact-results.ts'
import { type Leak, type RunResults, withLeaks } from '../reports/results.ts'
import { renderHtml } from '../reports/run/html.ts'

/** The usual folder of the results, beside the configuration. */
export function resultsIn(folder: string): string {
  return join(folder, 'twotoken-results')
}

/** An exploration keeps the results of the last run, which are beside this folder. */
export function explorationIn(folder: string, role: string): string {
  return join(resultsIn(folder), `explore-${role}`)
}

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

const authorityFile = 'mint-double-ca.pem'

/**
 * The certificate of a mint double that listens with TLS, and the file of its authority in the folder of the results: the
 * backend under test has to trust it, so the file is announced before the first request.
 */
export async function createDoubleCertificate(
  { backend, start, directory }: Configuration,
  out: string,
  stderr: { write(text: string): unknown },
): Promise<{ doubleCertificate?: TestableCertificate }> {
  const { fakeMint } = backend ?? {}
  if (fakeMint?.tls !== true) return {}
  const { ca, ...doubleCertificate } = createServerCertificate({ names: namesOf(fakeMint) })
  const file = join(out, authorityFile)
  await writeFileWhole(file, ca)
  // A start command names the usual folder, while the results of this command may go elsewhere.
  const usual = resultsIn(directory)
  if (start !== undefined && usual !== out)
    await assertWritable(usual)
      .then(() => writeFileWhole(join(usual, authorityFile), ca))
      // The command names another folder where this one cannot be written.
      .catch(() => undefined)
  stderr.write(`the mint double's certificate is signed by ${file}\n`)
  return { doubleCertificate }
}

/** A redirect of BACK-15 names the double's machine otherwise. */
function namesOf({ host }: { readonly host: string }): string[] {
  return [...new Set([host, 'localhost', '127.0.0.1', '::1'])]
}

/** A run as it was written, or as much of it as could be. */
export interface WrittenRun {
  readonly results: RunResults
  /** `results.json`. */
  readonly json: string
  /** Where the report is, for the summary. */
  readonly reportPath: string
  /** Error of writing or rendering, to be thrown after the verdicts are printed. */
  readonly failure: TwotokenError | null
}

/** Renders the files of a run besides its report, by a name in its folder or an absolute path. */
export type Render = (results: RunResults) => Readonly<Record<string, string>>

/**
 * Writes the files of a run. The results are on disk before anything is rendered: no defect of a report can take verdicts
 * with it. A last scan redacts every secret that is left; such a leak is a fault of the suite, so the results name it and
 * their outcome is `error`.
 */
export async function writeRun(
  folder: string,
  judged: RunResults,
  redactor: Redactor,
  render: Render = () => ({}),
): Promise<WrittenRun> {
  const { results: clean, places } = redactResults(judged, redactor)
  const leaks: Leak[] = places.map((at) => ({ file: 'results.json', at }))
  const first = withLeaks(clean, [...leaks])
  const json = textOf(first, redactor)
  const unwritten = await writeArtefacts(folder, { 'results.json': json })

  const files: Record<string, string> = {}
  const scan = (file: string, text: string): void => {
    const shown = redactor.file(text)
    if (shown !== text) leaks.push({ file, at: `line ${firstDifferentLine(text, shown)}` })
    files[file] = shown
  }
  const rendered = renderAll(first, () => render(first))
  for (const [file, text] of Object.entries(rendered.files)) scan(file, text)
  const results = withLeaks(clean, leaks)
  // A leak that only a rendered file shows is named in all of them.
  const isNamed = results.leaks?.length === first.leaks?.length
  const again = isNamed ? json : textOf(results, redactor)
  if (!isNamed) {
    files['results.json'] = again
    files['report.html'] = redactor.file(renderAll(results, () => ({})).files['report.html'])
  }
  const later = await writeArtefacts(folder, files)
  const failure = unwritten ?? later ?? rendered.failure
  const reportPath = failure === null ? join(folder, 'report.html') : 'not written'
  return { results, json: again, reportPath, failure }
}

/** The text of `results.json`. Most of its lines come again and again: each is searched once. */
function textOf(results: RunResults, redactor: Redactor): string {
  const text = `${JSON.stringify(results, null, 2)}\n`
  const once = [...new Set(text.split('\n'))].join('\n')
  return redactor.file(once) === once ? text : redactor.file(text)
}

interface Rendered {
  readonly files: Readonly<Record<string, string>> & { readonly 'report.html': string }
  readonly failure: TwotokenError | null
}

/** Renders the report and further files. A defect of the report leaves a page that says so; one of the others, the report. */
function renderAll(results: RunResults, render: () => ReturnType<Render>): Rendered {
  const report = attempt('the report', () => renderHtml(results))
  const others = attempt('a further report', render)
  const page = report.value ?? pageOf(report.failure)
  return { files: { ...others.value, 'report.html': page }, failure: report.failure ?? others.failure }
}

type Attempt<Value> =
  | { readonly value: Value; readonly failure: null }
  | { readonly value: null; readonly failure: TwotokenError }

function attempt<Value>(what: string, render: () => Value): Attempt<Value> {
  try {
    return { value: render(), failure: null }
  } catch (error) {
    const why = `${what} could not be rendered (${String(error)}); results.json is complete. Please report this bug in twotoken`
    return { value: null, failure: new TwotokenError('internal', onOneLine(why), error) }
  }
}

function pageOf(failure: TwotokenError | null): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>twotoken</title><p>${escapeMarkup(failure?.message ?? '')}</p></html>\n`
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
async function writeArtefacts(
  folder: string,
  artefacts: Readonly<Record<string, string>>,
): Promise<TwotokenError | null> {
  let failure: TwotokenError | null = null
  for (const [name, text] of Object.entries(artefacts))
    await writeFileWhole(resolve(folder, name), text).catch((error: TwotokenError) => {
      failure ??= error
    })
  return failure
}
