import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodeOf, TwotokenError } from '../../base/errors.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { RunResults } from '../../reports/results.ts'
import { type VerifyEnvironment, type VerifyOptions, verify } from '../commands/verify.ts'
import { openStreams } from './streams.ts'

export type VerifyRun = Awaited<ReturnType<typeof runVerify>>

type Given = Partial<VerifyOptions> & Pick<VerifyOptions, 'role'>

/** Runs `twotoken verify` in a new folder, as the command line would; a configuration is written to a file. */
export async function runVerify(
  options: Given,
  written?: Readonly<Record<string, unknown>>,
  environment: Pick<VerifyEnvironment, 'core'> = {},
) {
  await using folder = await openTempFolder()
  const { path: directory } = folder
  const { written: printed, ...streams } = openStreams()
  if (written !== undefined) await writeFile(join(directory, 'twotoken.yaml'), JSON.stringify(written))
  const config = written === undefined ? {} : { config: 'twotoken.yaml' }
  const outcome = await verify(
    { strict: false, json: false, ...config, ...options },
    { directory, variables: {}, ...streams, color: false, ...environment },
  ).catch((error: unknown) => {
    if (error instanceof TwotokenError) return error
    throw error
  })
  const file = (name: string) => readFile(join(directory, 'twotoken-results', name), 'utf8').catch(() => '')
  const text = await file('results.json')
  const results: RunResults | null = text === '' ? null : JSON.parse(text)
  return {
    exitCode: typeof outcome === 'number' ? outcome : exitCodeOf(outcome),
    /** The sentence of a command that judged nothing. */
    sentence: typeof outcome === 'number' ? '' : outcome.message,
    results,
    verdicts: Object.fromEntries(results?.checks.map(({ id, verdict }) => [id, verdict]) ?? []),
    junit: await file('junit.xml'),
    ...printed,
  }
}
