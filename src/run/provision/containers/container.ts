import { TwotokenError } from '../../../base/errors.ts'
import { type Engine, engineWords } from './engine.ts'
import { logOf } from './log.ts'
import { hostName, type OwnNetwork } from './network.ts'
import { ownerLabel } from './owner.ts'
import { tarOf } from './tar.ts'

/** A part that is to run in a container. */
export interface WantedContainer {
  readonly part: string
  readonly image: string
  /** The port that it listens on inside. */
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  /** Texts by their absolute path inside; everybody inside may read them, and nothing else holds them. */
  readonly files: Readonly<Record<string, string>>
  /** Its own health check does not run: it is asked from outside, sooner and at less cost. */
  readonly withoutHealthCheck?: boolean
}

export interface StartedContainer extends AsyncDisposable {
  readonly id: string
  readonly part: string
  readonly image: string
  readonly port: number
  /** Host and port under which this machine reaches it. */
  readonly address: string
  state(): Promise<ContainerState>
  log(): Promise<string>
}

export interface ContainerState {
  readonly isRunning: boolean
  /** For a reader: "running", "paused", "ended with exit code 1", … */
  readonly text: string
  /** What the image's own health check says: "none" where it has none. */
  readonly health: string
  /** The first process, as this machine counts them. */
  readonly pid: number
}

/** How long a container has to end by itself. */
const graceSeconds = 1

/** @throws TwotokenError `precondition` where the engine cannot start it */
export async function startContainer(
  engine: Engine,
  { part, image, port, env, files, withoutHealthCheck = false }: WantedContainer,
  { owner, network }: { readonly owner: string; readonly network: OwnNetwork },
): Promise<StartedContainer> {
  const { docker, host, isLocal } = engine
  const inside = `${port}/tcp`
  const refused = (cause: unknown) =>
    new TwotokenError(
      'precondition',
      `the ${part}'s container (image ${image}) cannot be started: ${engineWords(cause)}; expected an image that runs: try it with "docker run ${image}"`,
      cause,
    )
  const container = await docker
    .createContainer({
      name: `twotoken-${part}-${owner}`,
      Image: image,
      Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      Labels: { [ownerLabel]: owner, 'org.twotoken.part': part },
      ExposedPorts: { [inside]: {} },
      ...(withoutHealthCheck ? { Healthcheck: { Test: ['NONE'] } } : {}),
      HostConfig: {
        NetworkMode: network.name,
        PortBindings: { [inside]: [{ HostIp: isLocal ? '127.0.0.1' : '', HostPort: '' }] },
        ExtraHosts: [`${hostName}:${network.hostAddress}`],
      },
    })
    .catch((cause: unknown) => Promise.reject(refused(cause)))
  const remove = async () => {
    await container.stop({ t: graceSeconds }).catch(() => undefined)
    await container.remove({ force: true, v: true }).catch(() => undefined)
  }
  try {
    await container.putArchive(tarOf(files), { path: '/' })
    await container.start()
    const { NetworkSettings } = await container.inspect()
    const published = NetworkSettings.Ports[inside]?.[0]?.HostPort ?? ''
    return {
      id: container.id,
      part,
      image,
      port,
      address: `${host}:${published}`,
      state: () => stateOf(engine, container.id),
      log: () => logOf(engine, container.id),
      [Symbol.asyncDispose]: remove,
    }
  } catch (cause) {
    await remove()
    throw refused(cause)
  }
}

async function stateOf({ docker }: Engine, id: string): Promise<ContainerState> {
  try {
    const { State } = await docker.getContainer(id).inspect()
    const { Status, ExitCode, OOMKilled, Health, Pid } = State
    const isRunning = Status === 'running' || Status === 'paused' || Status === 'restarting'
    const why = OOMKilled ? ' for want of memory' : ''
    return {
      isRunning,
      text: isRunning ? Status : `ended with exit code ${ExitCode}${why}`,
      health: Health?.Status ?? 'none',
      pid: Pid,
    }
  } catch {
    return { isRunning: false, text: 'was removed', health: 'none', pid: 0 }
  }
}
