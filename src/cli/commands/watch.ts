import { type FSWatcher, lstatSync, readdirSync, watch as watchFolder } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { exitCodeOf, TwotokenError } from '../../base/errors.ts'
import { onLines, onOneLine } from '../../base/printable.ts'
import type { RunEnvironment, RunOptions } from '../../run/options.ts'
import { rejectOnAbort } from '../../run/provision/concurrency.ts'
import { resultsIn } from '../../run/write-artefacts.ts'
import { runOnce } from './run.ts'

/** An editor writes several files at once, and a server that restarts on a change takes a moment to begin. */
const settleMs = 300
/** How long a backend that restarts on a change may refuse connections, and how often it is asked. */
const [mostRestartMs, askAgainMs] = [10_000, 250]

/** `twotoken run --watch`: judges everything, then what failed whenever a file changes. Returns the last exit code. */
export async function watch(options: RunOptions, environment: RunEnvironment): Promise<number> {
  if (options.json)
    throw new TwotokenError('usage', '--watch prints no single results.json: leave --json out')
  const { stderr, directory } = environment
  const folder = options.config === undefined ? directory : resolve(directory, options.config, '..')
  const out = resolve(directory, options.out ?? resultsIn(folder))
  const stop = new AbortController()
  environment.onInterrupt(() => stop.abort())
  let change = Promise.withResolvers<string>()
  using _ = watchFiles(folder, out, (path) => change.resolve(relative(folder, path)))
  let now = await judge(options, environment, { signal: stop.signal, restartMs: 0, failed: [] })
  while (!stop.signal.aborted) {
    const what = now.failed.join(', ') || 'everything'
    stderr.write(`\nwatching: a file change reruns ${what}; Ctrl-C stops\n`)
    const changed = await rejectOnAbort(change.promise, stop.signal).catch(() => null)
    if (changed === null) break
    change = Promise.withResolvers()
    stderr.write(`\n${onOneLine(changed)} changed\n`)
    const { failed } = now
    const again = failed.length === 0 ? options : { ...options, only: failed, out: join(out, 'again') }
    now = await judge(again, environment, { signal: stop.signal, restartMs: mostRestartMs, failed })
  }
  return now.code
}

/** Reports changes in a folder and those below it, but for packages, hidden files and the folder that the suite writes. */
function watchFiles(folder: string, ignored: string, onChange: (path: string) => void): Disposable {
  const watchers = new Map<string, FSWatcher>()
  let settling: NodeJS.Timeout | undefined
  const isLeftOut = (path: string) => path === ignored || /^(?:node_modules$|[.])/.test(basename(path))
  const open = (path: string) => {
    const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    if (watchers.has(path) && isFolder) return
    watchers.get(path)?.close()
    watchers.delete(path)
    if (!isFolder) return
    const watcher = watchFolder(path, (_, name) => {
      const changed = join(path, name ?? '')
      if (isLeftOut(changed)) return
      open(changed)
      clearTimeout(settling)
      settling = setTimeout(() => onChange(changed), settleMs)
    })
    watcher.once('error', () => watchers.delete(path))
    watchers.set(path, watcher)
    for (const name of readdirSync(path)) if (!isLeftOut(join(path, name))) open(join(path, name))
  }
  open(folder)
  return {
    [Symbol.dispose]() {
      clearTimeout(settling)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** One run, with the requirements to judge again. Where it cannot start, the reason is printed, and `failed` stays. */
async function judge(
  options: RunOptions,
  environment: RunEnvironment,
  { signal, restartMs, failed }: { signal: AbortSignal; restartMs: number; failed: readonly string[] },
): Promise<{ readonly code: number; readonly failed: readonly string[] }> {
  const until = systemClock.monotonic() + restartMs
  for (;;) {
    try {
      const { code, results } = await runOnce(options, environment, signal)
      if (results === null) return { code, failed }
      const failing = results.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
      return { code, failed: failing.map(({ id }) => id) }
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
