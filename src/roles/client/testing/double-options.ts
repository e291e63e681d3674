import { tmpdir } from 'node:os'
import { systemClock } from '../../../base/clock.ts'
import { createJournal } from '../../../base/evidence/exchange.ts'
import { createSecrets } from '../../../base/evidence/secrets.ts'
import { defaultLimits } from '../../../base/http/limits.ts'
import type { DoubleContextOptions } from '../doubles/double-context.ts'

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
    runStart: systemClock.monotonic(),
  }
}
