import { TwotokenError } from '../../base/errors.ts'
import { onOneLine } from '../../base/printable.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { type PreflightOptions, preflight } from './preflight.ts'
import type { Problem } from './problem.ts'

export interface ReachingOptions extends PreflightOptions {
  /** Begins and ends the message on a part that cannot be used. */
  readonly refusal: { readonly what: string; readonly hint?: string }
}

/** Problems that keep nothing from being judged, but explain it. */
const noted: readonly Problem['kind'][] = ['session', 'environment']

/**
 * Returns notes on sessions, limits and the environment, which may explain what is judged later.
 * @throws TwotokenError `precondition`, with a sentence for each mistake
 */
export async function assertReachable(
  configuration: Configuration,
  { refusal: { what, hint }, ...options }: ReachingOptions,
): Promise<string[]> {
  const problems = await preflight(configuration, options)
  const fatal = problems.filter((problem) => problem.fatal)
  if (fatal.length === 0)
    return problems.filter(({ kind }) => noted.includes(kind)).map(({ message }) => message)
  const lines = fatal.map(({ part, message }) => `${part}: ${onOneLine(message)}`)
  throw new TwotokenError(
    'precondition',
    [`${what}:`, ...lines, ...(hint === undefined ? [] : [hint])].join('\n  '),
  )
}
