import { access, constants } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import { makeFolder } from '../base/make-folder.ts'
import { onOneLine } from '../base/printable.ts'
import { createServerCertificate, type TestableCertificate } from '../base/tls/certificates.ts'
import { writeFileWhole } from '../base/write-file.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { escapeMarkup } from '../reports/escape.ts'
import type { RunResults } from '../reports/results.ts'
import { renderHtml } from '../reports/run/html.ts'

export function resultsIn(folder: string): string {
  return join(folder, 'twotoken-results')
}

/** An exploration keeps the results of the last run, which are beside this folder. */
export function explorationIn(folder: string, role: string): string {
  return join(resultsIn(folder), `explore-${role}`)
}

/** Creates the folder of the results before anything is judged; throws `usage` when nothing can be written there. */
export async function assertWritable(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new TwotokenError('usage', `--out ${folder} cannot be written: choose a writable folder`, error)
  }
}

const authorityFile = 'mint-double-ca.pem'

/** The certificate of the mint double, where it listens with TLS. */
export interface DoubleCertificate {
  readonly doubleCertificate?: TestableCertificate
}

/** The certificate of a double with TLS. Its authority is announced before the first request: the backend has to trust it. */
export async function createDoubleCertificate(
  { backend, start, directory }: Configuration,
  out: string,
  stderr: { write(text: string): unknown },
): Promise<DoubleCertificate> {
  const { fakeMint } = backend ?? {}
  if (fakeMint?.tls !== true) return {}
  // A redirect of BACK-15 names the double's machine otherwise.
  const names = [...new Set([fakeMint.host, 'localhost', '127.0.0.1', '::1'])]
  const { ca, ...doubleCertificate } = createServerCertificate({ names })
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

/**
 * Writes the results before anything is rendered: no defect of a report can take verdicts with it.
 * @param render the files besides the report, by a name in the folder or an absolute path
 * @returns as `failure`, the error of writing or rendering, to be thrown after the verdicts are printed
 */
export async function writeRun(
  folder: string,
  results: RunResults,
  render: (results: RunResults) => Readonly<Record<string, string>> = () => ({}),
) {
  const failures: TwotokenError[] = []
  const attempt = <Value>(what: string, make: () => Value): Value | null => {
    try {
      return make()
    } catch (error) {
      const why = `${what} could not be rendered (${String(error)}); results.json is complete. Please report this bug in twotoken`
      failures.push(new TwotokenError('internal', onOneLine(why), error))
      return null
    }
  }
  const write = (name: string, text: string) =>
    writeFileWhole(resolve(folder, name), text).catch((error: TwotokenError) => void failures.push(error))
  const json = `${JSON.stringify(results, null, 2)}\n`
  await write('results.json', json)
  // A defect of the report leaves a page that says so.
  const page =
    attempt('the report', () => renderHtml(results)) ??
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>twotoken</title><p>${escapeMarkup(failures.at(-1)?.message ?? '')}</p></html>\n`
  const others = attempt('a further report', () => render(results)) ?? {}
  for (const [name, text] of Object.entries({ ...others, 'report.html': page })) await write(name, text)
  const failure = failures.find(({ code }) => code !== 'internal') ?? failures[0] ?? null
  return { json, reportPath: failure === null ? join(folder, 'report.html') : 'not written', failure }
}
