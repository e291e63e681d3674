import { exitCodeOfOutcome } from '../../base/verdict.ts'
import { inertJson } from '../../reports/escape.ts'
import type { RunResults } from '../../reports/results.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { summaryText } from './summary.ts'

/** Where a command writes: what scripts read goes to `stdout`, everything else to `stderr`. */
export interface Output {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

/** Prints results for people, on stderr where stdout gets JSON. `head` comes first. */
export function printResults(
  results: RunResults,
  { json, reportPath }: { readonly json: string; readonly reportPath: string },
  { stdout, stderr, ...shown }: Output & Pick<RunEnvironment, 'color' | 'columns'>,
  { isJson = false, head = '' }: { readonly isJson?: boolean | undefined; readonly head?: string },
): void {
  if (isJson) stdout.write(inertJson(json))
  const output = isJson ? stderr : stdout
  output.write(head + summaryText(results, { ...shown, reportPath }))
}

export function exitCodeOfResults({ outcome, checks }: RunResults, isStrict = false): number {
  const isWarned = checks.some(({ verdict, waived }) => verdict === 'warn' && waived !== true)
  return outcome === 'conformant' && isStrict && isWarned ? 1 : exitCodeOfOutcome[outcome]
}
