import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runCommand } from '../src/cli/testing/run-command.ts'
import type { RunResults } from '../src/reports/results.ts'

// Proofs that are run by themselves run the command, and tell what came out.

export interface Outcome {
  readonly code: number | null
  readonly stderr: string
  readonly results: RunResults | null
}

/** Runs some suites as the folder's `twotoken.yaml` describes; of them one requirement, if it is given. */
export async function runSuites(suites: string, folder: string, only: string | undefined): Promise<Outcome> {
  const { code, stderr } = await runCommand(
    ['run', '--suite', suites, ...(only === undefined ? [] : ['--only', only])],
    folder,
  )
  const text = await readFile(join(folder, 'twotoken-results/results.json'), 'utf8').catch(() => null)
  return { code, stderr, results: text === null ? null : (JSON.parse(text) as RunResults) }
}

/** Those of some packages of Debian that this machine lacks. */
export async function missingPackages(names: readonly string[]): Promise<readonly string[]> {
  const isInstalled = await Promise.all(
    names.map((name) =>
      promisify(execFile)('dpkg', ['--status', name]).then(
        ({ stdout }) => stdout.includes('ok installed'),
        () => false,
      ),
    ),
  )
  return names.filter((_, place) => isInstalled[place] !== true)
}

export function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
