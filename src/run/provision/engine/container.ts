import { TwotokenError } from '../../../base/errors.ts'
import { type ContainerLimits, confine, publishOn } from './container-limits.ts'
import { describeEngineError, type Engine } from './engine.ts'
import { hostName, type OwnNetwork } from './network.ts'
import { ownerLabel } from './orphans.ts'
import { packFiles } from './pack-files.ts'

export interface ContainerSettings {
  readonly part: string
  readonly image: string
  /** The port that it listens on inside. */
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  /** Texts by their absolute path inside, readable for all users of the container. */
  readonly files: Readonly<Record<string, string>>
  readonly limits: ContainerLimits
  /** Disables the health check of the image: a request from outside is sooner and cheaper. */
  readonly withoutHealthCheck?: boolean
}

export interface StartedContainer extends AsyncDisposable {
  readonly id: string
  readonly part: string
  readonly image: string
  readonly port: number
  /** Host and port at which this machine reaches it. */
  readonly address: string
  state(): Promise<ContainerState>
  log(): Promise<string>
}

export interface ContainerState {
  readonly isRunning: boolean
  /** For a reader: "running", "paused", "exited with code 1", … */
  readonly text: string
  /** The result of the image's own health check: "none" where it has none. */
  readonly health: string
  /** The id of its first process on this machine. */
  readonly pid: number
}

/** The number of lines that are kept of a log, from its end. */
const keptLines = 2000
const headerBytes = 8
/** How long a container has to end by itself. */
const graceSeconds = 1

/** @throws TwotokenError `precondition` where the engine cannot start it */
export async function startContainer(
  engine: Engine,
  { part, image, port, env, files, limits, withoutHealthCheck = false }: ContainerSettings,
  { owner, network }: { readonly owner: string; readonly network: OwnNetwork },
): Promise<StartedContainer> {
  const { docker, host } = engine
  const inside = `${port}/tcp`
  const refused = (cause: unknown) =>
    new TwotokenError(
      'precondition',
      `the ${part}'s container (image ${image}) cannot be started: ${describeEngineError(cause)}: check the image with "docker run ${image}"`,
      cause,
    )
  const container = await docker
    .createContainer({
      name: `twotoken-${part}-${owner}`,
      Image: image,
      Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      Labels: { [ownerLabel]: owner, 'org.twotoken.part': part },
      ExposedPorts: { [inside]: {} },
      Healthcheck: withoutHealthCheck ? { Test: ['NONE'] } : undefined,
      HostConfig: {
        ...confine(limits),
        NetworkMode: network.name,
        PortBindings: { [inside]: [publishOn(engine)] },
        ExtraHosts: [`${hostName}:${network.hostAddress}`],
      },
    })
    .catch((cause: unknown) => Promise.reject(refused(cause)))
  const remove = async () => {
    await container.stop({ t: graceSeconds }).catch(() => undefined)
    await container.remove({ force: true, v: true }).catch(() => undefined)
  }
  try {
    await container.putArchive(await packFiles(files), { path: '/' })
    await container.start()
    const { NetworkSettings } = await container.inspect()
    const published = NetworkSettings.Ports[inside]?.[0]?.HostPort ?? ''
    return {
      id: container.id,
      part,
      image,
      port,
      address: `${host}:${published}`,
      state: () => readState(engine, container.id),
      log: () => readLog(engine, container.id),
      [Symbol.asyncDispose]: remove,
    }
  } catch (cause) {
    await remove()
    throw refused(cause)
  }
}

async function readState({ docker }: Engine, id: string): Promise<ContainerState> {
  try {
    const { State } = await docker.getContainer(id).inspect()
    const { Status, ExitCode, OOMKilled, Health, Pid } = State
    const isRunning = Status === 'running' || Status === 'paused' || Status === 'restarting'
    const why = OOMKilled ? ' (out of memory)' : ''
    return {
      isRunning,
      text: isRunning ? Status : `exited with code ${ExitCode}${why}`,
      health: Health?.Status ?? 'none',
      pid: Pid,
    }
  } catch {
    return { isRunning: false, text: 'was removed', health: 'none', pid: 0 }
  }
}

/** The output of a container, both streams in the order of their arrival; empty where the engine does not give it. */
export async function readLog({ docker }: Engine, id: string): Promise<string> {
  try {
    const raw = await docker
      .getContainer(id)
      .logs({ follow: false, stdout: true, stderr: true, tail: keptLines })
    return demultiplex(Buffer.isBuffer(raw) ? raw : Buffer.from(String(raw)))
  } catch {
    return ''
  }
}

/** Each piece of output comes behind a header: the stream, three zero bytes, and its length. */
function demultiplex(raw: Buffer): string {
  const pieces: Buffer[] = []
  let at = 0
  while (at + headerBytes <= raw.length) {
    const stream = raw[at] ?? 0
    // A container with a terminal has one stream and no headers.
    if (stream > 2 || raw.readUIntBE(at + 1, 3) !== 0) return raw.toString('utf8')
    const length = raw.readUInt32BE(at + 4)
    pieces.push(raw.subarray(at + headerBytes, at + headerBytes + length))
    at += headerBytes + length
  }
  return Buffer.concat(pieces).toString('utf8')
}
