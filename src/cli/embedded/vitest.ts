import '../../base/async-disposable-stack.ts'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { TwotokenError } from '../../base/errors.ts'
import { loadCatalogue } from '../../catalogue/load-requirements.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { runCheck, sortByTurn } from '../../requirement/run.ts'
import { openSession, type Session } from '../../requirement/session.ts'
import { assertReachable } from '../../run/preflight/preflight.ts'
import { loadStarted } from '../../run/prepare-configuration.ts'
import { isDescribed, selectRequirements } from '../../run/select-requirements.ts'
import { createDoubleCertificate, resultsIn } from '../../run/write-artefacts.ts'
import { type CheckMask, createCheckMask, describeForTest } from './test-statement.ts'

/** Options of `describeConformance`, which judges as `twotoken run --suite … --only …`. */
export interface ConformanceOptions {
  /** A `twotoken.yaml`; relative to the folder in which Vitest runs. */
  readonly config?: string
  readonly suites?: readonly ('mint' | 'backend' | 'signaling' | 'flow' | 'bundle')[]
  /** Ids of requirements. */
  readonly only?: readonly string[]
  /** The values of `${NAME}` in the configuration. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /**
   * A requirement that could not be judged is a skipped test and not a failed one. What is given up: a configuration
   * that lost a part still looks green.
   */
  readonly allowIncomplete?: boolean
}

/**
 * Registers every chosen requirement as a test of its own, inside a Vitest run of yours. A violation fails its test
 * with what was seen and what was expected; a warning is an annotation. Requirements on a client run in Playwright, and
 * are left out here.
 *
 * @example
 * import { describeConformance } from 'twotoken/vitest'
 * describeConformance({ config: 'twotoken.yaml', suites: ['backend'] })
 */
export function describeConformance({
  config = 'twotoken.yaml',
  environment = process.env,
  allowIncomplete = false,
  ...selection
}: ConformanceOptions = {}): void {
  describe(`conformance of ${config}`, async () => {
    const checks = sortByTurn(selectRequirements(await loadCatalogue(), selection)).filter(
      ({ role }) => role !== 'client',
    )
    const isAsked = selection.suites !== undefined || selection.only !== undefined
    const started = new AsyncDisposableStack()
    let session: Session | undefined
    let mask: CheckMask = (result) => result
    // Every exchange has a deadline of its own; a check as a whole may wait for a token to expire.
    const withoutTimeout = { timeout: 0 }

    beforeAll(async () => {
      const roles = [...new Set(checks.map(({ role }) => role))]
      const { signal } = new AbortController()
      const { stderr } = process
      const beforeStart = (draft: Configuration) =>
        createDoubleCertificate(draft, resultsIn(draft.directory), stderr)
      const loading = { variables: environment, stderr, signal, contactedBy: roles, beforeStart }
      const { configuration, certificate } = await loadStarted(resolve(config), loading, started)
      const refusal = { what: 'the run did not start' }
      await assertReachable(configuration, { ...certificate, parts: roles, stderr, refusal })
      session = await openSession(configuration, certificate)
      mask = createCheckMask(session)
    }, 0)
    afterAll(async () => {
      await session?.[Symbol.asyncDispose]()
      await started.disposeAsync()
    })

    for (const check of checks)
      test.concurrent(`${check.id} ${check.title}`, withoutTimeout, async ({ annotate, skip }) => {
        if (session === undefined) throw new TwotokenError('internal', 'the session was not opened')
        if (!isAsked && !isDescribed(check, session.configuration))
          skip(`not in the configuration, and not judged: ${check.role}`)
        const { kind, text } = describeForTest(mask(await runCheck(check, session)))
        if (kind === 'failed') throw new Error(text)
        if (kind === 'untested' && allowIncomplete) skip(text)
        if (kind === 'untested') throw new Error(`${text} (or allowIncomplete: true)`)
        if (kind === 'remark') await annotate(text, 'warning')
      })
  })
}
