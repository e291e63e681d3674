import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodeOf, TwotokenError } from '../../base/errors.ts'
import type { Verdict } from '../../base/verdict.ts'
import type { RunResults } from '../../reports/results.ts'
import { type VerifyEnvironment, type VerifyOptions, verify } from '../commands/verify.ts'

export interface VerifyRun {
  readonly exitCode: number
  readonly results: RunResults | null
  /** Verdicts by interaction. */
  readonly verdicts: Readonly<Record<string, Verdict>>
  readonly junit: string
  /** The sentence of a command that judged nothing. */
  readonly sentence: string
  readonly stdout: string
  readonly stderr: string
}

type Given = Partial<VerifyOptions> & Pick<VerifyOptions, 'role'>

/** Runs `twotoken verify` in a folder of its own, as the command line would; a configuration is written to a file. */
export async function runVerify(
  options: Given,
  written?: Readonly<Record<string, unknown>>,
  environment: Pick<VerifyEnvironment, 'core'> = {},
): Promise<VerifyRun> {
  const directory = await mkdtemp(join(tmpdir(), 'twotoken-verified-'))
  const printed = { stdout: '', stderr: '' }
  const printer = (name: keyof typeof printed) => ({
    write(text: string) {
      printed[name] += text
    },
  })
  try {
    if (written !== undefined) await writeFile(join(directory, 'twotoken.yaml'), JSON.stringify(written))
    const config = written === undefined ? {} : { config: 'twotoken.yaml' }
    const outcome = await verify(
      { strict: false, json: false, ...config, ...options },
      {
        directory,
        variables: {},
        stdout: printer('stdout'),
        stderr: printer('stderr'),
        color: false,
        ...environment,
      },
    ).catch((error: unknown) => {
      if (error instanceof TwotokenError) return error
      throw error
    })
    const file = (name: string) => readFile(join(directory, 'twotoken-results', name), 'utf8').catch(() => '')
    const text = await file('results.json')
    const results: RunResults | null = text === '' ? null : JSON.parse(text)
    return {
      exitCode: typeof outcome === 'number' ? outcome : exitCodeOf(outcome),
      sentence: typeof outcome === 'number' ? '' : outcome.message,
      results,
      verdicts: Object.fromEntries(results?.checks.map(({ id, verdict }) => [id, verdict]) ?? []),
      junit: await file('junit.xml'),
      ...printed,
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
