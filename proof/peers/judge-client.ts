import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createPacer } from '../../src/base/http/limiter.ts'
import { resolveConfiguration } from '../../src/configuration/load.ts'
import type { AnyCheck } from '../../src/requirement/define.ts'
import { type CheckResult, runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

/** The examples whose signaling doubles a client: the `serve` of an adapter, or a profile. */
const examples = {
  'socket-io': { example: 'socket-io-polling', client: 'socket-io', transport: '' },
  'socket-io over a WebSocket': { example: 'socket-io', client: 'socket-io', transport: 'websocket' },
  mqtt: { example: 'mqtt', client: 'mqtt', transport: '' },
  hocuspocus: { example: 'hocuspocus', client: 'hocuspocus', transport: '' },
} as const
export type ForeignClient = keyof typeof examples

/** Judges a client of a third-party service against the double that the example brings. */
export async function judgeForeignClient(
  name: ForeignClient,
  checks: readonly AnyCheck[],
  fault = '',
): Promise<CheckResult[]> {
  const { example, client, transport } = examples[name]
  const directory = join(import.meta.dirname, 'node_modules/examples', example)
  const { signaling } = parse(await readFile(join(directory, 'twotoken.yaml'), 'utf8'))
  const configuration = await resolveConfiguration(
    {
      signaling: { ...signaling, url: 'ws://127.0.0.1:9/' },
      client: {
        command: `"${process.execPath}" "${join(import.meta.dirname, 'testing/clients', `${client}.ts`)}" "${fault}" ${transport}`,
        users: { alice: { userId: 'u-alice' }, bob: { userId: 'u-bob' } },
      },
      // A client without a fault needs no such time, however busy the machine is.
      ...(fault !== '' && { limits: { reconnectSeconds: 6 } }),
    },
    { directory, environment: {} },
  )
  await using session = await openSession(configuration)
  const pacer = createPacer({ atOnce: 3 }, session.clock)
  return await Promise.all(checks.map((check) => pacer.run(() => runCheck(check, session))))
}
