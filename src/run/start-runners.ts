import { extname, join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import type { AnyCheck } from '../requirement/define.ts'
import type { RunEvents, RunningChecks, WorkerTask } from './worker-protocol.ts'

const extension = extname(import.meta.filename)
const workerFile = join(import.meta.dirname, `conformance.worker${extension}`)
const playwrightFile = join(import.meta.dirname, `playwright-settings${extension}`)

/**
 * Vitest runs the checks, and Playwright those of the client meanwhile: most of the others wait for a token to expire.
 * Each is loaded only where it has checks to run, and only now, so that errors of a configuration are reported a second
 * sooner.
 */
export async function startRunners(
  checks: readonly AnyCheck[],
  task: WorkerTask,
  variables: NodeJS.ProcessEnv,
  events: RunEvents,
): Promise<RunningChecks> {
  const isClients = ({ role }: AnyCheck) => role === 'client'
  const idsOf = (some: readonly AnyCheck[]) => some.map(({ id }) => id)
  // Without a client nothing runs in a browser: those checks only report the reason.
  const inBrowser = task.configuration.client === undefined ? [] : idsOf(checks.filter(isClients))
  const others = idsOf(checks).filter((id) => !inBrowser.includes(id))
  let isCancelled = false
  const started: RunningChecks[] = []

  const servers = async () => {
    if (others.length === 0) return null
    const { startChecks } = await import('./run-in-vitest.ts')
    return await startChecks(workerFile, { ...task, ids: others }, events)
  }
  const clients = async () => {
    if (inBrowser.length === 0) return null
    const { startClientChecks } = await import('./run-in-playwright.ts')
    return await startClientChecks(playwrightFile, { ...task, ids: inBrowser }, variables, events)
  }
  const finish = async (start: () => Promise<RunningChecks | null>): Promise<TwotokenError | null> => {
    const running = await start()
    if (running === null) return null
    started.push(running)
    if (isCancelled) await running.cancel()
    return await running.finished
  }
  const run = async (): Promise<TwotokenError | null> => {
    const failures = await Promise.all([finish(servers), finish(clients)])
    return failures.find((failure) => failure !== null) ?? null
  }
  const finished = run().catch((error: unknown) =>
    error instanceof TwotokenError
      ? error
      : new TwotokenError('internal', `the checks could not run: ${String(error)}`, error),
  )
  return {
    finished,
    async cancel() {
      isCancelled = true
      await Promise.all(started.map((running) => running.cancel()))
    },
  }
}
