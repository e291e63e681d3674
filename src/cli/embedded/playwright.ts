import '../../base/async-disposable-stack.ts'
import { resolve } from 'node:path'
import { test as base, type TestType } from '@playwright/test'
import { TwotokenError } from '../../base/errors.ts'
import { findCheck, loadCatalogue } from '../../catalogue/load-requirements.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { runCheck } from '../../requirement/run.ts'
import { openSession, type Session, type SessionOptions } from '../../requirement/session.ts'
import { assertOwnCodeCache } from '../../run/code-cache.ts'
import { loadStarted } from '../../run/prepare-configuration.ts'
import { createCheckMask, describeForTest } from './test-statement.ts'

// The process that runs the tests has the credentials, and Playwright has chosen where it takes code from.
assertOwnCodeCache(process.env)

export interface ConformanceFixtures {
  /**
   * Judges the client by one requirement, such as `CLI-06`. Throws, and so fails the test, with what was seen and what
   * was expected; also where it could not be judged. A warning is an annotation of the test.
   */
  requirement(id: string): Promise<void>
}

export interface ConformanceOptions {
  /** The `twotoken.yaml` that describes the client; relative to the folder in which Playwright runs. */
  readonly twotoken: string
}

/**
 * Playwright's `test` with the requirements on a client in it. They open a browser of their own, whose whole traffic
 * goes through the suite, whatever `page` does.
 *
 * @example
 * import { test } from 'twotoken/playwright'
 * test('mints again when it is refused', ({ requirement }) => requirement('CLI-06'))
 */
export const test: TestType<ConformanceFixtures, ConformanceOptions> = base.extend<
  ConformanceFixtures,
  ConformanceOptions & { readonly judged: (id: string) => ReturnType<typeof runCheck> }
>({
  twotoken: ['twotoken.yaml', { scope: 'worker', option: true }],
  judged: [
    async ({ twotoken }, use, { parallelIndex }) => {
      await using started = new AsyncDisposableStack()
      const beforeStart = async ({ start }: Configuration) => {
        if (start === undefined || parallelIndex === 0) return {}
        throw new TwotokenError(
          'usage',
          'each worker of Playwright would start what start in the configuration names: set workers: 1',
        )
      }
      const { configuration } = await loadStarted(
        resolve(twotoken),
        {
          variables: process.env,
          stderr: process.stderr,
          signal: new AbortController().signal,
          contactedBy: ['client'],
          beforeStart,
        },
        started,
      )
      await using session = await openClientSession(configuration, { environment: process.env })
      const catalogue = await loadCatalogue()
      const mask = createCheckMask(session)
      await use(async (id) => mask(await runCheck(findCheck(id, catalogue), session)))
    },
    { scope: 'worker' },
  ],
  requirement: async ({ judged }, use, testInfo) => {
    await use(async (id) => {
      const { kind, text } = describeForTest(await judged(id))
      if (kind === 'failed' || kind === 'untested') throw new Error(text)
      if (kind === 'remark') testInfo.annotations.push({ type: 'warning', description: text })
    })
  },
})

/** Opens a session without the mint double: its address belongs to the process that judges the backend. */
async function openClientSession(
  { backend, ...configuration }: Configuration,
  options: SessionOptions,
): Promise<Session> {
  if (backend === undefined) return await openSession(configuration, options)
  const { fakeMint: _, ...others } = backend
  return await openSession({ ...configuration, backend: others }, options)
}
