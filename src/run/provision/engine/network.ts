import { TwotokenError } from '../../../base/errors.ts'
import { describeEngineError, type Engine, isLocalAddress } from './engine.ts'
import { ownerLabel } from './orphans.ts'

export const hostName = 'host.docker.internal'

/** A network for one part alone, so that its requests to other parts go through the suite. */
export interface OwnNetwork extends AsyncDisposable {
  readonly name: string
  readonly id: string
  /** Where the suite listens for this container: not reachable from other machines. */
  readonly listenHost: string
  readonly hostAddress: string
}

export async function startNetwork({ docker }: Engine, owner: string, part: string): Promise<OwnNetwork> {
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
    listenHost: isHere ? gateway : '127.0.0.1',
    hostAddress: isHere ? gateway : 'host-gateway',
    async [Symbol.asyncDispose]() {
      await network.remove().catch(() => undefined)
    },
  }
}
