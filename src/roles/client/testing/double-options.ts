import { tmpdir } from 'node:os'
import { systemClock } from '../../../base/clock.ts'
import { createJournal } from '../../../base/evidence/exchange.ts'
import { createSecrets } from '../../../base/evidence/secrets.ts'
import { defaultLimits } from '../../../base/http/limits.ts'
import { type ClientContextOptions, createClientContext } from '../client-context.ts'
import type { DoubleContextOptions } from '../doubles/double-context.ts'
import { startDoublesServer } from '../doubles/doubles-server.ts'

/** Creates options for the doubles of a client that gets their addresses, with a separate journal. */
export function createDoubleOptions(): DoubleContextOptions {
  return {
    configuration: {
      directory: tmpdir(),
      token: { field: 'auto', userIdClaim: 'auto' },
      limits: defaultLimits,
    },
    testKey: null,
    ca: undefined,
    routes: { backend: '**/calling/token', signaling: '**/signaling' },
    journal: createJournal(),
    secrets: createSecrets(),
    clock: systemClock,
  }
}

/** Serves the doubles of a client, and says where they are. */
export async function serveDoubles(change: Partial<ClientContextOptions>) {
  await using stack = new AsyncDisposableStack()
  const options = { ...createDoubleOptions(), spoken: null, open: {}, seesStatus: true, ...change }
  const context = await createClientContext(options)
  stack.defer(() => context.end())
  const { trafficHandler, signaling } = context
  const server = stack.use(
    await startDoublesServer({ trafficHandler, signalingPath: signaling.path, tls: false }),
  )
  const parts = stack.move()
  return { ...server, context, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
