import { createInterface } from 'node:readline/promises'
import { TwotokenError } from '../base/errors.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import type { DeviceOperator } from '../roles/client/device/manual-device.ts'
import type { RunEnvironment } from './options.ts'
import type { RunEvents, WorkerTask } from './worker-protocol.ts'

/** `run --observe`: judges one check after the other in this process, since a person follows. Gives why it ended early. */
export async function observeDevice(
  { configuration, ids, seed, fingerprintKey }: WorkerTask,
  { stdin, stderr }: Pick<RunEnvironment, 'stdin' | 'stderr'>,
  events: RunEvents,
  signal: AbortSignal,
): Promise<TwotokenError | null> {
  if (configuration.client?.observe === undefined || stdin === undefined)
    return new TwotokenError(
      'configuration',
      '--observe needs client.observe.proxy or client.observe.listen: add an address that the device can reach',
    )
  const closed = new AbortController()
  const over = AbortSignal.any([signal, closed.signal])
  const lines = createInterface({ input: stdin, signal: over })
  lines.on('close', () => closed.abort())
  const operator: DeviceOperator = async (instruction) => {
    stderr.write(`> ${instruction} Then press Enter.\n`)
    await lines.question('', { signal: over })
  }
  try {
    const checks = (await loadCatalogue(['client'])).filter(({ id }) => ids.includes(id))
    await using session = await openSession(configuration, { seed, fingerprintKey, operator })
    events.onStarted()
    for (const check of checks) {
      if (over.aborted) return null
      stderr.write(`\n${check.id}: the client ${check.title}\n`)
      const result = await runCheck(check, session)
      events.onReport({ result, exchanges: session.journal.drain(), secrets: session.secrets.drain() })
    }
    lines.close()
    return null
  } catch (error) {
    return error instanceof TwotokenError ? error : new TwotokenError('internal', String(error), error)
  }
}
