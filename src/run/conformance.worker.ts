import '../base/async-disposable-stack.ts'
import { afterAll, inject, test } from 'vitest'
import { withholdEnvironment } from '../base/given-environment.ts'
import type { ToldWait } from '../base/told-wait.ts'
import { blockLimits, startWatchdog } from '../base/watchdog.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { runCheck, sortByPhase } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import { waitingAnnotation } from './worker-protocol.ts'

// The test file that `twotoken run` gives Vitest: every requirement is a test of its own, and all run at once.

// A terminal interrupts the whole process group; the command decides what that means, and ends this process.
process.on('SIGINT', () => undefined)

// No page is opened here, so there is no evidence of pages to keep.
const { configuration, ids, evidenceFolder: _, blockedFile, ...options } = inject('twotoken')
const { env } = process
withholdEnvironment(configuration)
const watchdog = startWatchdog({ file: blockedFile, ...blockLimits })
const announce = new Map<string, (wait: ToldWait) => void>()
const session = await openSession(configuration, {
  ...options,
  environment: env,
  onWaiting: (id, wait) => announce.get(id)?.(wait),
})
afterAll(async () => {
  await session[Symbol.asyncDispose]()
  await watchdog[Symbol.asyncDispose]()
})

const checks = sortByPhase((await loadCatalogue()).filter(({ id }) => ids.includes(id)))
for (const check of checks) {
  test.concurrent(`${check.id} ${check.title}`, async ({ task, annotate, expect }) => {
    announce.set(check.id, (wait) => {
      void annotate(JSON.stringify(wait), waitingAnnotation)
    })
    const result = await runCheck(check, session)
    // An attempt that is still under way, beside one that has decided, tells nothing about an ended test.
    announce.delete(check.id)
    task.meta.twotoken = {
      result,
      exchanges: session.journal.drain(),
      secrets: session.redactor.drain(),
      metLimits: session.metLimits(),
    }
    expect(['fail', 'error'], result.findings[0]?.message ?? result.reason ?? '').not.toContain(
      result.verdict,
    )
  })
}
