import { TwotokenError } from '../../../base/errors.ts'
import { type Engine, engineWords } from './engine.ts'
import { isOwnAddress } from './own-address.ts'
import { ownerLabel } from './owner.ts'

/** The name under which a container reaches the machine of the suite. */
export const hostName = 'host.docker.internal'

/** A network that one part has to itself, so that all it says to another part goes through the suite. */
export interface OwnNetwork extends AsyncDisposable {
  readonly name: string
  readonly id: string
  /** Where the suite listens for this container, and for nobody beyond this machine. */
  readonly listenHost: string
  /** What `host.docker.internal` has to stand for in the container. */
  readonly hostAddress: string
}

export async function startNetwork({ docker }: Engine, owner: string, part: string): Promise<OwnNetwork> {
  const name = `twotoken-${part}-${owner}`
  const network = await docker
    .createNetwork({ Name: name, Driver: 'bridge', Labels: { [ownerLabel]: owner } })
    .catch((cause: unknown) => {
      throw new TwotokenError(
        'precondition',
        `the network of the ${part} cannot be made: ${engineWords(cause)}; expected the engine to have one free: remove some with "docker network prune"`,
        cause,
      )
    })
  const { IPAM } = await network.inspect()
  const gateway: string | undefined = IPAM?.Config?.[0]?.Gateway
  // Where the engine runs in a virtual machine (Docker Desktop), the bridge is there, and the loopback is forwarded.
  const isHere = gateway !== undefined && (await isOwnAddress(gateway))
  return {
    name,
    id: network.id,
    listenHost: isHere ? gateway : '127.0.0.1',
    hostAddress: isHere ? gateway : 'host-gateway',
    async [Symbol.asyncDispose]() {
      await network.remove().catch(() => undefined)
    },
  }
}
