import { join, resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { exitCodeOf, TwotokenError } from '../../base/errors.ts'
import { onLines, onOneLine } from '../../base/printable.ts'
import type { RunResults } from '../../reports/results.ts'
import type { CheckResult } from '../../requirement/run.ts'
import type { RunEnvironment, RunOptions } from '../../run/options.ts'
import { openTriggers, type Trigger } from '../watch-triggers.ts'
import { runOnce } from './run.ts'

/** How long a backend that restarts on a change may refuse connections. */
const mostRestartMs = 10_000
const askAgainMs = 250

/** State of the run when the user is asked to change something. */
interface Watched {
  readonly code: number
  /** Requirements to judge again; all of them where it is empty. */
  readonly failed: readonly string[]
  /** Those that the first run judged, for a filter. */
  readonly known: readonly Named[]
}

type Named = Pick<CheckResult, 'id' | 'title'>

/**
 * `twotoken run --watch`: judges everything that was chosen, and what failed again whenever a file of the project changes, or
 * as the user types. Returns the exit code of the last run, when the user ends it.
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
  await using triggers = await openTriggers({
    folder,
    ignored: out,
    stdin,
    echo: (text) => void stderr.write(text),
    signal: stop.signal,
  })

  let now = await judge(options, environment, { signal: stop.signal, restartMs: 0, last: null })
  while (!stop.signal.aborted) {
    stderr.write(`\n${describeNext(now)}\n`)
    const cause = await triggers.next()
    if (cause === null) break
    const wish = wishOf(cause, now)
    if (wish === 'end') break
    stderr.write(`\n${wish.said}\n`)
    if (wish.only === null) continue
    const again = wish.only.length === 0 ? options : { ...options, only: wish.only, out: join(out, 'again') }
    now = await judge(again, environment, { signal: stop.signal, restartMs: mostRestartMs, last: now })
  }
  return now.code
}

function describeNext({ failed }: Watched): string {
  const what = failed.length === 0 ? 'runs everything' : `judges ${failed.join(', ')}`
  return `watching: a change of a file, or Enter, ${what} again. Press a for all, f for what failed, / and a word for requirements with it in their id or title, q to end`
}

interface Wish {
  readonly said: string
  /** Requirements to judge; all of them where it is empty, and none where it is null. */
  readonly only: readonly string[] | null
}

/** Reads the wish out of a change or a typed line. */
function wishOf(trigger: Trigger, { failed, known }: Watched): Wish | 'end' {
  if ('changed' in trigger) return { said: `${onOneLine(trigger.changed)} changed`, only: failed }
  const { typed } = trigger
  if (typed === 'q') return 'end'
  if (typed === 'a') return { said: 'all', only: [] }
  if (typed === '') return { said: 'Enter', only: failed }
  if (typed === 'f')
    return failed.length === 0
      ? { said: 'nothing failed', only: null }
      : { said: 'what failed', only: failed }
  if (!typed.startsWith('/')) return { said: `no command: ${onOneLine(typed)}`, only: null }
  const word = typed.slice(1).toLowerCase()
  const only = known.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(word))
  return only.length === 0
    ? { said: `no requirement has ${onOneLine(word)} in its id or title`, only: null }
    : { said: onOneLine(typed), only: only.map(({ id }) => id) }
}

interface Circumstances {
  readonly signal: AbortSignal
  /** How long connections may be refused. */
  readonly restartMs: number
  /** The run before, whose failures stay where the next one cannot start. */
  readonly last: Watched | null
}

/** One run; where it cannot start, the reason is printed. */
async function judge(
  options: RunOptions,
  environment: RunEnvironment,
  { signal, restartMs, last }: Circumstances,
): Promise<Watched> {
  const { failed, known } = last ?? { failed: [], known: [] }
  const until = systemClock.monotonic() + restartMs
  for (;;) {
    try {
      const { code, results } = await runOnce(options, environment, signal)
      if (results === null) return { code, failed, known }
      return { code, failed: failedOf(results), known: known.length === 0 ? results.checks : known }
    } catch (error) {
      if (!(error instanceof TwotokenError)) throw error
      const mayRestart = error.code === 'precondition' && systemClock.monotonic() < until && !signal.aborted
      if (!mayRestart) {
        environment.stderr.write(`twotoken: ${onLines(error.message)}\n`)
        return { code: exitCodeOf(error), failed, known }
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
