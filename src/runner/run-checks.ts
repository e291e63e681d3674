import { dirname } from 'node:path'
import { createVitest, type Reporter } from 'vitest/node'
import { TwotokenError } from '../errors.ts'
import { type CheckReport, type WorkerTask, waitingAnnotation } from './protocol.ts'

export interface RunEvents {
  onStarted(total: number): void
  onWaiting(title: string, seconds: number): void
  onReport(report: CheckReport): void
}

export interface RunningChecks {
  /** Resolves when every check has reported, or the run was cancelled; rejects when the worker itself failed. */
  readonly finished: Promise<void>
  cancel(): Promise<void>
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
  const failures: string[] = []
  const reporter: Reporter = {
    onTestModuleCollected: (module) => events.onStarted([...module.children.allTests()].length),
    onTestCaseAnnotate: (testCase, { type, message }) => {
      if (type === waitingAnnotation) events.onWaiting(testCase.name, Number(message))
    },
    onTestCaseResult: (testCase) => {
      const report = testCase.meta().twotoken
      if (report !== undefined) events.onReport(report)
    },
    onTestModuleEnd: (module) => {
      failures.push(...module.errors().map(({ message }) => message))
    },
    onTestRunEnd: (_modules, errors) => {
      failures.push(...errors.map(({ message }) => message))
    },
  }
  const vitest = await createVitest('test', {
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
    provide: { twotoken: task },
  })
  const run = async () => {
    await vitest.start()
    await vitest.close()
    const [failure] = failures
    if (failure !== undefined) throw new TwotokenError('internal', `the checks could not be run: ${failure}`)
  }
  const finished = run()
  return {
    finished,
    async cancel() {
      await vitest.cancelCurrentRun('keyboard-input')
      await vitest.exit(true)
    },
  }
}
