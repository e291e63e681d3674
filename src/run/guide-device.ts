import { createInterface } from 'node:readline/promises'
import { TwotokenError } from '../base/errors.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import type { DeviceOperator } from '../roles/client/device/device.ts'
import type { RunEnvironment } from './options.ts'
import type { RunEvents, RunningChecks, WorkerTask } from './worker-protocol.ts'

/**
 * `run --observe`: judges one check after the other, in this process, since it tells the person at the device each step.
 * @throws TwotokenError `configuration` without an address for the doubles to listen on
 */
export async function startObservation(
  { configuration, ids, seed, fingerprintKey }: WorkerTask,
  { stdin, stderr }: Pick<RunEnvironment, 'stdin' | 'stderr'>,
  events: RunEvents,
): Promise<RunningChecks> {
  if (configuration.client?.observe === undefined || stdin === undefined)
    throw new TwotokenError(
      'configuration',
      '--observe needs client.observe.proxy or client.observe.listen: add an address that the device can reach',
    )
  const cancelled = new AbortController()
  const lines = createInterface({ input: stdin, signal: cancelled.signal })
  lines.on('close', () => cancelled.abort())
  const operator: DeviceOperator = async (instruction) => {
    stderr.write(`> ${instruction} Then press Enter.\n`)
    await lines.question('', { signal: cancelled.signal })
  }
  const run = async (): Promise<TwotokenError | null> => {
    const checks = (await loadCatalogue(['client'])).filter(({ id }) => ids.includes(id))
    await using session = await openSession(configuration, { seed, fingerprintKey, operator })
    events.onStarted(checks.length)
    for (const check of checks) {
      if (cancelled.signal.aborted) return null
      stderr.write(`\n${check.id}: the client ${check.title}\n`)
      const result = await runCheck(check, session)
      events.onReport({ result, exchanges: session.journal.drain(), secrets: session.secrets.drain() })
    }
    lines.close()
    return null
  }
  return {
    finished: run().catch((error: unknown) =>
      error instanceof TwotokenError ? error : new TwotokenError('internal', String(error), error),
    ),
    async cancel() {
      cancelled.abort()
    },
  }
}
