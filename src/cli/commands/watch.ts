import { join, resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { exitCodeOf, TwotokenError } from '../../base/errors.ts'
import { onLines } from '../../base/printable.ts'
import type { RunResults } from '../../reports/results.ts'
import type { RunEnvironment, RunOptions } from '../../run/options.ts'
import { openTriggers } from '../watch-triggers.ts'
import { runOnce } from './run.ts'

/** How long a backend that restarts on a change may refuse connections. */
const mostRestartMs = 10_000
const askAgainMs = 250

/** State of the run when the user is asked to change something. */
interface Watched {
  readonly code: number
  /** Requirements to judge again; all of them where it is empty. */
  readonly failed: readonly string[]
}

/**
 * `twotoken run --watch`: judges everything that was chosen, and what failed again whenever a file of the project changes, or
 * on Enter. Returns the exit code of the last run, when the user ends it.
 * @throws TwotokenError `usage` together with --json
 */
export async function watch(options: RunOptions, environment: RunEnvironment): Promise<number> {
  if (options.json)
    throw new TwotokenError('usage', '--watch prints no single results.json: leave --json out')
  const { stderr, stdin, directory } = environment
  const folder = options.config === undefined ? directory : resolve(directory, options.config, '..')
  const out = resolve(directory, options.out ?? join(folder, 'twotoken-results'))
  const stop = new AbortController()
  environment.onInterrupt(() => stop.abort())
  await using triggers = await openTriggers({ folder, ignored: out, stdin, signal: stop.signal })

  let now = await judge(options, environment, { signal: stop.signal, restartMs: 0, failed: [] })
  while (!stop.signal.aborted) {
    stderr.write(`\n${describeNext(now)}\n`)
    const cause = await triggers.next()
    if (cause === null) break
    stderr.write(`\n${cause}\n`)
    const { failed } = now
    const again = failed.length === 0 ? options : { ...options, only: failed, out: join(out, 'again') }
    now = await judge(again, environment, { signal: stop.signal, restartMs: mostRestartMs, failed })
  }
  return now.code
}

function describeNext({ failed }: Watched): string {
  const what = failed.length === 0 ? 'runs everything' : `judges ${failed.join(', ')}`
  return `watching: a change of a file, or Enter, ${what} again; Ctrl-C ends`
}

interface Circumstances {
  readonly signal: AbortSignal
  /** How long connections may be refused. */
  readonly restartMs: number
  /** Earlier failures, for a run that cannot start. */
  readonly failed: readonly string[]
}

/** One run; where it cannot start, the reason is printed. */
async function judge(
  options: RunOptions,
  environment: RunEnvironment,
  { signal, restartMs, failed }: Circumstances,
): Promise<Watched> {
  const until = systemClock.monotonic() + restartMs
  for (;;) {
    try {
      const { code, results } = await runOnce(options, environment, signal)
      return { code, failed: results === null ? failed : failedOf(results) }
    } catch (error) {
      if (!(error instanceof TwotokenError)) throw error
      const mayRestart = error.code === 'precondition' && systemClock.monotonic() < until && !signal.aborted
      if (!mayRestart) {
        environment.stderr.write(`twotoken: ${onLines(error.message)}\n`)
        return { code: exitCodeOf(error), failed }
      }
      await systemClock.until(systemClock.monotonic() + askAgainMs)
    }
  }
}

function failedOf({ checks }: RunResults): string[] {
  return checks
    .filter(({ verdict, waived }) => (verdict === 'fail' || verdict === 'error') && waived !== true)
    .map(({ id }) => id)
}
