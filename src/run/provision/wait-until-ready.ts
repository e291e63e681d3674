import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { TwotokenError } from '../../base/errors.ts'
import type { StartedContainer } from './engine/container.ts'
import type { OutputQuote } from './quote-output.ts'
import { probe } from './wait-for-addresses.ts'

export interface Readiness {
  /** The address of the part in the configuration: its scheme, and its path where `health` is absent. */
  readonly url: string
  readonly health?: string | undefined
  readonly timeoutSeconds: number
  readonly quote: OutputQuote
  readonly signal: AbortSignal
}

const pauseMs = 100

/** @throws TwotokenError `precondition`, with the last lines of the container, where it does not become ready */
export async function waitUntilReady(container: StartedContainer, readiness: Readiness): Promise<void> {
  const { url, health, timeoutSeconds, quote, signal } = readiness
  const { part, image, port } = container
  const target = new URL(url)
  target.host = container.address
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
    if (silence === null && (health !== undefined || state.health !== 'starting')) {
      if (state.health !== 'unhealthy') return
    }
    if (performance.now() > deadline) {
      const late = `was not ready within ${timeoutSeconds} s (${silence ?? `its own health check says ${state.health}`})`
      const hint = explainPorts(port, await readListening(state.pid))
      throw hint === null
        ? await refused(late, `raise start.readyTimeoutSeconds, or correct start.containers.${part}`)
        : await refused(`${late}, and ${hint}`, `correct start.containers.${part}.port, or the image`)
    }
    await delay(pauseMs, undefined, { signal })
  }
}

interface Listening {
  readonly port: number
  readonly onLoopback: boolean
}

/** The ports that are open instead of the configured one; null where it is open, or none is. */
function explainPorts(port: number, listening: readonly Listening[]): string | null {
  if (listening.length === 0 || listening.some((open) => open.port === port && !open.onLoopback)) return null
  const shown = listening.map((open) =>
    open.onLoopback ? `127.0.0.1:${open.port} alone` : String(open.port),
  )
  return `listens on ${[...new Set(shown)].join(', ')}`
}

/** Where the processes of a container listen; empty where this machine cannot see it. */
async function readListening(pid: number): Promise<Listening[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  )
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local, , state] = line.trim().split(/\s+/)
      const [address, port] = local?.split(':') ?? []
      // The engine's name server listens on 127.0.0.11 in the container. Addresses are in the byte order of the machine.
      if (state !== '0A' || address === undefined || port === undefined || address === '0B00007F') return []
      const onLoopback = address === '0100007F' || address === '00000000000000000000000001000000'
      return [{ port: Number.parseInt(port, 16), onLoopback }]
    }),
  )
}
