import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { TwotokenError } from '../../../base/errors.ts'
import { explainMissing } from '../../../base/optional-package.ts'

type Client = Awaited<ReturnType<typeof import('testcontainers').getContainerRuntimeClient>>

export interface Engine {
  readonly docker: Client['container']['dockerode']
  readonly host: string
  /** True where that is this machine: ports are then published on its loopback only. */
  readonly isLocal: boolean
}

/**
 * Finds the engine as testcontainers does. Its `GenericContainer` is not used: it publishes ports on every address.
 * @throws TwotokenError `precondition` where none answers, or the client's package is not installed
 */
export async function connectEngine(): Promise<Engine> {
  const { getContainerRuntimeClient } = await import('testcontainers').catch((error: unknown) => {
    throw explainMissing(error, 'testcontainers', '--containers')
  })
  try {
    const { container, info } = await getContainerRuntimeClient()
    const { host } = info.containerRuntime
    // In a container, testcontainers names the bridge's gateway; an engine in the same container has it as its own.
    const isLocal = await isLocalAddress(host)
    return { docker: container.dockerode, host: isLocal ? '127.0.0.1' : host, isLocal }
  } catch (cause) {
    throw new TwotokenError(
      'precondition',
      'no container engine responds: install Docker Engine (on Debian and Ubuntu "apt install docker.io"), Docker Desktop or Podman, and start it, or set DOCKER_HOST to its address',
      cause,
    )
  }
}

export function describeEngineError(error: unknown): string {
  const message = (error as { json?: { message?: unknown } }).json?.message
  const text = typeof message === 'string' ? message : error instanceof Error ? error.message : String(error)
  return text.replace(/\s+/g, ' ').trim().slice(0, 400)
}

/** Says whether an address is this machine's by listening there: a bridge without a container is not among the interfaces. */
export function isLocalAddress(address: string): Promise<boolean> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, address, () => server.close(() => resolve(true)))
  })
}

/** A free port for a server that starts later, below the range of ephemeral ports: no connection takes it meanwhile. */
export async function findFreePort(host: string): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer((socket) => socket.destroy())
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => resolve(true))
  })
  if (!isFree) return await findFreePort(host)
  await new Promise((resolve) => server.close(resolve))
  return port
}
