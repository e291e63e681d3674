import { TwotokenError } from '../../../base/errors.ts'
import { containerGraceSeconds } from '../../../base/times.ts'
import type { StartContainer } from '../../../configuration/configuration.ts'
import { confine, publishOn } from './container-limits.ts'
import { describeEngineError, type Engine } from './engine.ts'
import { hostName, type OwnNetwork } from './network.ts'
import { ownerLabel } from './orphans.ts'
import { packFiles } from './pack-files.ts'
import { type WatchedContainer, watchContainer } from './watched-container.ts'

/** A part that runs in a container: the user's image, or the reference's. */
export interface ChosenPart extends StartContainer {
  readonly part: 'mint' | 'backend' | 'signaling'
  readonly isReference: boolean
}

/** The address is host and port at which this machine reaches it. */
export type StartedContainer = ChosenPart & WatchedContainer & AsyncDisposable & { readonly address: string }

/**
 * @param files texts by their absolute path inside, readable for all users of the container
 * @throws TwotokenError `precondition` where the engine cannot start it
 */
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
