import '../async-disposable-stack.ts'
import { existsSync } from 'node:fs'
import { test as base, expect } from '@playwright/test'
import { runCheck } from '../check/run-check.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { openSession, type Session } from '../parts/session.ts'
import { reportAttachment, taskVariable, type WorkerTask } from '../runner/protocol.ts'
import { loadCatalogue } from './catalogue.ts'
import { environment } from './playwright-settings.ts'
import { withoutMintDouble } from './without-mint-double.ts'

// The test file of the client's checks: every requirement is a test of its own, and a worker shares one browser.

// The task holds credentials: the browser and a client that is a program are started by this process, and not told.
if (environment['TEST_WORKER_INDEX'] !== undefined) delete environment[taskVariable]

interface Given {
  readonly task?: WorkerTask
  readonly configurationFile?: string
}

const test = base.extend<object, { session: Session }>({
  session: [
    async ({ browserName: _ }, use, { config, workerIndex }) => {
      const { task, configurationFile } = config.metadata as Given
      await using stack = new AsyncDisposableStack()
      const configuration = task?.configuration ?? (await described(configurationFile, stack))
      const options = task === undefined ? {} : optionsOf(task)
      await using session = await openSession(withoutMintDouble(configuration), {
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

for (const check of (await loadCatalogue()).filter(({ role }) => role === 'client'))
  test(`${check.id} ${check.title}`, async ({ session }, testInfo) => {
    const judged = await runCheck(check, session)
    const isBad = judged.verdict === 'fail' || judged.verdict === 'error'
    const kept = await session.settleEvidence(check.id, isBad)
    const result =
      kept.length === 0
        ? judged
        : { ...judged, observations: { ...judged.observations, keptInFolderClient: kept } }
    const { task } = testInfo.config.metadata as Given
    const report = { result, exchanges: session.journal.drain(), secrets: session.redactor.drain() }
    // Secrets go to the command that asked, for its last scan; never to a report of Playwright's own.
    if (task !== undefined) await testInfo.attach(reportAttachment, { body: JSON.stringify(report) })
    expect(['fail', 'error'], result.findings[0]?.message ?? result.reason ?? '').not.toContain(
      result.verdict,
    )
  })

/** Started by hand: the file that was named, else the one in this folder, else the embedded reference. */
async function described(file: string | undefined, stack: AsyncDisposableStack): Promise<Configuration> {
  const here = file ?? (existsSync('twotoken.yaml') ? 'twotoken.yaml' : undefined)
  if (here !== undefined) return await loadConfiguration(here, environment)
  const { startReference } = await import('../../fixtures/stack.ts')
  return stack.use(await startReference({ withClient: true })).configuration
}
