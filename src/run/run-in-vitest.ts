import { dirname } from 'node:path'
import { Writable } from 'node:stream'
import { createVitest, type Reporter, type Vitest } from 'vitest/node'
import { systemClock } from '../base/clock.ts'
import { isErrorCode, TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import { createTempDir } from './temp-dir.ts'
import { type RunEvents, type RunningChecks, type WorkerTask, waitingAnnotation } from './worker-protocol.ts'

/** How long the worker has to end. */
const cancelMs = 1000

/** An error of the worker, after serialization. */
interface ReportedError {
  readonly name?: string
  readonly message: string
  readonly code?: unknown
}

/**
 * Has Vitest run the worker file, and turns what it reports into our own events. One worker process runs all checks
 * at once: they share a session, a mint double and one wait for expiry.
 */
export async function startChecks(
  workerFile: string,
  task: WorkerTask,
  events: RunEvents,
): Promise<RunningChecks> {
  if (task.ids.length === 0) return { finished: Promise.resolve(null), cancel: () => Promise.resolve() }
  const failures: ReportedError[] = []
  const reporter: Reporter = {
    onTestModuleCollected: (module) => {
      if (module.errors().length === 0) events.onStarted([...module.children.allTests()].length)
    },
    onTestCaseAnnotate: (testCase, { type, message }) => {
      if (type === waitingAnnotation) events.onWaiting(testCase.name, JSON.parse(message))
    },
    onTestCaseResult: (testCase) => {
      const report = testCase.meta().twotoken
      if (report !== undefined) events.onReport(report)
    },
    onTestModuleEnd: (module) => {
      failures.push(...module.errors())
    },
    onTestRunEnd: (_modules, errors) => {
      failures.push(...errors)
    },
  }
  // The worker runs what Vitest writes there.
  const tempDir = await createTempDir()
  const start = () =>
    createVitest(
      'test',
      {
        config: false,
        watch: false,
        root: dirname(workerFile),
        dir: dirname(workerFile),
        include: [workerFile],
        exclude: [],
        reporters: [reporter],
        pool: 'forks',
        maxWorkers: 1,
        maxConcurrency: task.ids.length + 1,
        // Every exchange has a deadline of its own; a check as a whole may wait for a token to expire.
        testTimeout: 0,
        hookTimeout: 0,
        teardownTimeout: 2000,
        env: tempDir.variables,
        provide: { twotoken: task },
      },
      {},
      // stdout is for the results, and the output of a dying worker is no message for a user.
      { stdout: nowhere(), stderr: nowhere() },
    )
  const vitest = await withVariables(tempDir.variables, () => withoutSignalHandlers(start))
  const run = async (): Promise<TwotokenError | null> => {
    try {
      await vitest.start()
      await vitest.close()
    } catch (error) {
      failures.push(error instanceof Error ? error : { message: String(error) })
    }
    const left = await tempDir.remove()
    const [failure] = failures
    return failure === undefined ? left : asTwotokenError(failure)
  }
  const finished = run()
  return {
    finished,
    async cancel() {
      // The first asks the worker to finish its tests, which may take a minute; the second ends it.
      void vitest.cancelCurrentRun('keyboard-input')
      void vitest.cancelCurrentRun('keyboard-input')
      // A worker that is still starting may miss both; it ends with this process at the latest.
      await Promise.race([finished, systemClock.until(systemClock.monotonic() + cancelMs)])
      await tempDir.remove()
    },
  }
}

/** Vitest chooses its temporary folders when it is created: below the system's, for all to see, unless it is told. */
async function withVariables<T>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    return await run()
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}

/** Vitest's logger would end the process a millisecond after a signal: before the results so far are written. */
async function withoutSignalHandlers(start: () => Promise<Vitest>): Promise<Vitest> {
  const drop = (event: string | symbol, listener: (...args: unknown[]) => void) => {
    if (event === 'SIGINT' || event === 'SIGTERM') queueMicrotask(() => process.off(event, listener))
  }
  process.on('newListener', drop)
  try {
    return await start()
  } finally {
    process.off('newListener', drop)
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** A TwotokenError of the worker keeps its code; any other error is a fault of the suite. */
function asTwotokenError({ name, message, code }: ReportedError): TwotokenError {
  if (name === 'TwotokenError' && isErrorCode(code)) return new TwotokenError(code, message)
  return new TwotokenError('internal', `the checks could not be run: ${onOneLine(message)}`)
}
