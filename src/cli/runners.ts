import { extname, join } from 'node:path'
import type { AnyCheck } from '../check/check.ts'
import type { WorkerTask } from '../runner/protocol.ts'
import type { RunEvents, RunningChecks } from '../runner/run-checks.ts'

const extension = extname(import.meta.filename)
const workerFile = join(import.meta.dirname, `conformance.worker${extension}`)
const playwrightFile = join(import.meta.dirname, `playwright-settings${extension}`)

/**
 * Vitest runs the checks, and Playwright those of the client, at the same time. Each is loaded only where it has
 * something to do, and only now: what is wrong with a configuration is said a second sooner.
 */
export async function startRunners(
  checks: readonly AnyCheck[],
  task: WorkerTask,
  variables: NodeJS.ProcessEnv,
  events: RunEvents,
): Promise<RunningChecks> {
  const isClients = ({ role }: AnyCheck) => role === 'client'
  const idsOf = (some: readonly AnyCheck[]) => some.map(({ id }) => id)
  // Without a client there is nothing to do in a browser: the reason is all there is to say.
  const inBrowser = task.configuration.client === undefined ? [] : idsOf(checks.filter(isClients))
  const others = idsOf(checks).filter((id) => !inBrowser.includes(id))
  const runners: RunningChecks[] = []
  if (inBrowser.length > 0) {
    const { startClientChecks } = await import('../runner/run-client-checks.ts')
    runners.push(startClientChecks(playwrightFile, { ...task, ids: inBrowser }, variables, events))
  }
  if (others.length > 0) {
    const { startChecks } = await import('../runner/run-checks.ts')
    runners.push(await startChecks(workerFile, { ...task, ids: others }, events))
  }
  return {
    finished: Promise.all(runners.map(({ finished }) => finished)).then(
      (failures) => failures.find((failure) => failure !== null) ?? null,
    ),
    async cancel() {
      await Promise.all(runners.map((runner) => runner.cancel()))
    },
  }
}
