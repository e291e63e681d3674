import { packTar } from 'modern-tar'
import { TwotokenError } from '../../../base/errors.ts'
import { containerGraceSeconds } from '../../../base/times.ts'
import type { StartContainer } from '../../../configuration/configuration.ts'
import { describeEngineError, type Engine, isLocalAddress } from './engine.ts'
import { ownerLabel } from './orphans.ts'
import { type WatchedContainer, watchContainer } from './watched-container.ts'

export interface ChosenPart extends StartContainer {
  readonly part: 'mint' | 'backend' | 'signaling'
  readonly isReference: boolean
}

/** The address is host and port at which this machine reaches it. */
export type StartedContainer = ChosenPart & WatchedContainer & AsyncDisposable & { readonly address: string }

/** The files have their absolute path inside, readable for all users; throws `precondition` where the engine cannot start it. */
export async function startContainer(
  engine: Engine,
  chosen: ChosenPart,
  files: Readonly<Record<string, string>>,
  { owner, network }: { readonly owner: string; readonly network: OwnNetwork },
): Promise<StartedContainer> {
  const { docker, host } = engine
  const { part, image, port, env, isReference } = chosen
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
      // A request from outside is sooner and cheaper than the health check of the reference.
      Healthcheck: isReference ? { Test: ['NONE'] } : undefined,
      HostConfig: {
        ...confine(chosen),
        NetworkMode: network.name,
        PortBindings: { [inside]: [publishOn(engine)] },
        ExtraHosts: [`${hostName}:${network.hostAddress}`],
      },
    })
    .catch((cause: unknown) => Promise.reject(refused(cause)))
  const remove = async () => {
    await container.stop({ t: containerGraceSeconds }).catch(() => undefined)
    await container.remove({ force: true, v: true }).catch(() => undefined)
  }
  try {
    await container.putArchive(await packFiles(files), { path: '/' })
    await container.start()
    const { NetworkSettings } = await container.inspect()
    const published = NetworkSettings.Ports[inside]?.[0]?.HostPort ?? ''
    return {
      ...chosen,
      ...(await watchContainer(engine, container.id)),
      address: `${host}:${published}`,
      [Symbol.asyncDispose]: remove,
    }
  } catch (cause) {
    await remove()
    throw refused(cause)
  }
}

/** More than a server starts, and far fewer than a machine has room for. */
const mostProcesses = 1024

/** Confines a container, which may be hostile: no privileges, a bound on its memory and on its processes. */
export function confine({
  capabilities,
  memoryMegabytes,
}: Pick<StartContainer, 'capabilities' | 'memoryMegabytes'>) {
  const bytes = memoryMegabytes * 1_048_576
  return {
    Privileged: false,
    SecurityOpt: ['no-new-privileges'],
    CapDrop: ['ALL'],
    CapAdd: [...capabilities],
    Memory: bytes,
    MemorySwap: bytes,
    PidsLimit: mostProcesses,
  }
}

/** Where ports are published: on loopback, unless the engine is on another machine, whose loopback is not reached from here. */
export function publishOn({ isLocal }: Pick<Engine, 'isLocal'>): {
  readonly HostIp: string
  readonly HostPort: string
} {
  return { HostIp: isLocal ? '127.0.0.1' : '', HostPort: '' }
}

/** Warns the user of published ports; null where only this machine reaches them. */
export function warnOfPublishing({ isLocal, host }: Pick<Engine, 'isLocal' | 'host'>): string | null {
  if (isLocal) return null
  return `the container engine is on another machine (${host}): the ports of the containers are published on all of its addresses, so that every machine in its network reaches them during the run`
}

/** A tar archive of small files by absolute path, with the folders above them, as an engine copies it into a container. */
export async function packFiles(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const mtime = new Date(0)
  const folders = new Set<string>()
  for (const path of Object.keys(files)) {
    const names = path.split('/').filter((name) => name !== '')
    for (let depth = 1; depth < names.length; depth += 1) folders.add(names.slice(0, depth).join('/'))
  }
  const contents = Object.entries(files).map(
    ([path, text]) => [path.replace(/^\/+/, ''), Buffer.from(text)] as const,
  )
  const archive = await packTar([
    ...[...folders].map((name) => ({
      header: { name, type: 'directory', size: 0, mode: 0o755, mtime } as const,
    })),
    ...contents.map(([name, body]) => ({ header: { name, size: body.length, mode: 0o444, mtime }, body })),
  ])
  return Buffer.from(archive)
}

export const hostName = 'host.docker.internal'

/** A network for one part alone, so that its requests to other parts go through the suite. */
export async function startNetwork({ docker }: Engine, owner: string, part: string) {
  const name = `twotoken-${part}-${owner}`
  const network = await docker
    .createNetwork({ Name: name, Driver: 'bridge', Labels: { [ownerLabel]: owner } })
    .catch((cause: unknown) => {
      throw new TwotokenError(
        'precondition',
        `the network of the ${part} cannot be created: ${describeEngineError(cause)}: remove unused networks with "docker network prune"`,
        cause,
      )
    })
  const { IPAM } = await network.inspect()
  const gateway: string | undefined = IPAM?.Config?.[0]?.Gateway
  // With Docker Desktop the bridge is in a virtual machine, and the loopback is forwarded.
  const isHere = gateway !== undefined && (await isLocalAddress(gateway))
  return {
    name,
    id: network.id,
    /** Where the suite listens for this container: not reachable from other machines. */
    listenHost: isHere ? gateway : '127.0.0.1',
    hostAddress: isHere ? gateway : 'host-gateway',
    async [Symbol.asyncDispose]() {
      await network.remove().catch(() => undefined)
    },
  }
}
export type OwnNetwork = Awaited<ReturnType<typeof startNetwork>>
