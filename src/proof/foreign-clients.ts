import { join } from 'node:path'
import { createPacer } from '../base/pacing.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import type { AnyCheck } from '../requirement/define.ts'
import { type CheckResult, runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'

const root = join(import.meta.dirname, '../..')

/** The adapters of the examples whose `serve` is the double of a client. */
const adapters = {
  'socket-io': 'socket-io-polling',
  mqtt: 'mqtt',
} as const
export type ForeignClient = keyof typeof adapters

/** Judges a client of a third-party service against the double that the adapter of the example brings. */
export async function judgeForeignClient(
  name: ForeignClient,
  checks: readonly AnyCheck[],
  fault = '',
): Promise<CheckResult[]> {
  const configuration = await resolveConfiguration(
    {
      signaling: {
        url: 'ws://127.0.0.1:9/',
        adapter: join(root, 'examples', adapters[name], 'adapter.mjs'),
      },
      client: {
        command: `"${process.execPath}" fixtures/servers/clients/${name}.ts "${fault}"`,
        users: { alice: { userId: 'u-alice' }, bob: { userId: 'u-bob' } },
      },
      // A client without a fault needs no such time, however busy the machine is.
      ...(fault !== '' && { limits: { reconnectSeconds: 6 } }),
    },
    { directory: root, environment: {} },
  )
  await using session = await openSession(configuration)
  const pacer = createPacer({ atOnce: 3 }, session.clock)
  return await Promise.all(checks.map((check) => pacer.run(() => runCheck(check, session))))
}
