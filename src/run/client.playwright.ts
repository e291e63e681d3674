import '../base/async-disposable-stack.ts'
import { existsSync } from 'node:fs'
import { test as base, expect } from '@playwright/test'
import { withholdEnvironment } from '../base/given-environment.ts'
import { blockLimits, startWatchdog } from '../base/watchdog.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import type { AnyCheck } from '../requirement/define.ts'
import { type CheckResult, runCheck, sortByPhase } from '../requirement/run.ts'
import type { Session } from '../requirement/session.ts'
import { openClientSession } from './open-client-session.ts'
import { environment } from './playwright-settings.ts'
import { reportAttachment, type WorkerTask } from './worker-protocol.ts'

// The test file of the client's checks: every requirement is a test of its own. For `twotoken run`, all of them run
// in one worker, several at once, with one browser: a second worker would load everything a second time.

// Playwright records the source position of each of a thousand calls: no report of this project shows it.
Reflect.deleteProperty(Error, 'prepareStackTrace')

interface Given {
  readonly task?: WorkerTask
  readonly configurationFile?: string
}

const test = base.extend<object, { session: Session }>({
  session: [
    async ({ browserName: _ }, use, { config, workerIndex }) => {
      const { task, configurationFile } = config.metadata as Given
      await using stack = new AsyncDisposableStack()
      if (task !== undefined) stack.use(startWatchdog({ file: task.blockedFile, ...blockLimits }))
      const configuration = task?.configuration ?? (await chooseConfiguration(configurationFile, stack))
      const options = task === undefined ? {} : optionsOf(task)
      withholdEnvironment(configuration)
      await using session = await openClientSession(configuration, {
        ...options,
        environment,
        exchangePrefix: `c${workerIndex}x`,
      })
      await use(session)
    },
    { scope: 'worker' },
  ],
})

function optionsOf({ seed, fingerprintKey, evidenceFolder }: WorkerTask) {
  return { seed, fingerprintKey, evidenceFolder }
}

/** Most of a check of the client is waiting; more at once would wait for each other. */
const atOnce = 10

/** The checks of the task; the first test starts them all, in their order. */
let judging: ReadonlyMap<string, Promise<CheckResult>> | null = null

function judgeAll(checks: readonly AnyCheck[], session: Session): ReadonlyMap<string, Promise<CheckResult>> {
  const judged = new Map(checks.map(({ id }) => [id, Promise.withResolvers<CheckResult>()]))
  const waiting = [...checks]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      judged.get(next.id)?.resolve(await runCheck(next, session))
  }
  for (let worker = 0; worker < atOnce; worker += 1) void work()
  return new Map([...judged].map(([id, { promise }]) => [id, promise]))
}

const checks = sortByPhase(await loadCatalogue(['client']))
for (const check of checks)
  test(`${check.id} ${check.title}`, async ({ session }, testInfo) => {
    const { task } = testInfo.config.metadata as Given
    if (task !== undefined)
      judging ??= judgeAll(
        checks.filter(({ id }) => task.ids.includes(id)),
        session,
      )
    const judged = (await judging?.get(check.id)) ?? (await runCheck(check, session))
    const isBad = judged.verdict === 'fail' || judged.verdict === 'error'
    const kept = await session.settleTraces(check.id, isBad)
    const result =
      kept.length === 0
        ? judged
        : { ...judged, observations: { ...judged.observations, keptInFolderClient: kept } }
    const report = { result, exchanges: session.journal.drain(), secrets: session.redactor.drain() }
    if (task === undefined)
      expect(['fail', 'error'], result.findings[0]?.message ?? result.reason ?? '').not.toContain(
        result.verdict,
      )
    // Secrets go to the command, for its last scan, and never to a report of Playwright. The test passes
    // whatever the verdict is: after a failure Playwright would end this process, and the checks that run in it.
    else await testInfo.attach(reportAttachment, { body: JSON.stringify(report) })
  })

/** Started by hand: the file that was named, else the one in this folder, else the embedded reference. */
async function chooseConfiguration(
  file: string | undefined,
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  const here = file ?? (existsSync('twotoken.yaml') ? 'twotoken.yaml' : undefined)
  if (here !== undefined) return await loadConfiguration(here, environment)
  const { startReference } = await import('../../fixtures/stack.ts')
  return stack.use(await startReference({ withClient: true })).configuration
}
