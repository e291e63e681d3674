import { setTimeout as delay } from 'node:timers/promises'
import { TwotokenError } from '../../base/errors.ts'
import { betweenProbesMs } from '../../base/times.ts'
import type { StartedContainer } from './engine/container.ts'
import type { OutputQuote } from './quote-output.ts'
import { probe } from './wait-for-addresses.ts'

interface Readiness {
  /** The address of the part in the configuration: its scheme, and its path where `health` is absent. */
  readonly url: string
  readonly timeoutSeconds: number
  readonly quote: OutputQuote
  readonly signal: AbortSignal
}

/** @throws TwotokenError `precondition`, with the last lines of the container, where it does not become ready */
export async function waitUntilReady(
  { address, part, image, port, health, ...container }: StartedContainer,
  { url, timeoutSeconds, quote, signal }: Readiness,
): Promise<void> {
  const target = new URL(url)
  target.host = address
  const deadline = performance.now() + timeoutSeconds * 1000
  const refused = async (what: string, advice: string) =>
    new TwotokenError(
      'precondition',
      `the ${part}'s container (image ${image}) ${what}; expected it to keep running and to respond on port ${port}: ${advice}${quote(await container.log())}`,
    )
  for (;;) {
    signal.throwIfAborted()
    const [silence, state] = await Promise.all([probe(target.href, { health }), container.state()])
    if (!state.isRunning)
      throw await refused(
        state.text,
        `check its log; it has the capabilities and the memory of start.containers.${part}, and no others`,
      )
    const isHealthy = state.health !== 'unhealthy' && (health !== undefined || state.health !== 'starting')
    if (silence === null && isHealthy) return
    if (performance.now() > deadline) {
      const late = `was not ready within ${timeoutSeconds} s (${silence ?? `its own health check says ${state.health}`})`
      throw await refused(
        late,
        `listen on port ${port} of 0.0.0.0, raise start.readyTimeoutSeconds, or correct start.containers.${part}`,
      )
    }
    await delay(betweenProbesMs, undefined, { signal })
  }
}
