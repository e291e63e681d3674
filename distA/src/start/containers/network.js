import { TwotokenError } from '../../errors.js';
import { engineWords } from './engine.js';
import { isOwnAddress } from './own-address.js';
import { ownerLabel } from './owner.js';
/** The name under which a container reaches the machine of the suite. */
export const hostName = 'host.docker.internal';
export async function startNetwork({ docker }, owner, part) {
    const name = `twotoken-${part}-${owner}`;
    const network = await docker
        .createNetwork({ Name: name, Driver: 'bridge', Labels: { [ownerLabel]: owner } })
        .catch((cause) => {
        throw new TwotokenError('precondition', `the network of the ${part} cannot be made: ${engineWords(cause)}; expected the engine to have one free: remove some with "docker network prune"`, cause);
    });
    const { IPAM } = await network.inspect();
    const gateway = IPAM?.Config?.[0]?.Gateway;
    // Where the engine runs in a virtual machine (Docker Desktop), the bridge is there, and the loopback is forwarded.
    const isHere = gateway !== undefined && (await isOwnAddress(gateway));
    return {
        name,
        id: network.id,
        listenHost: isHere ? gateway : '127.0.0.1',
        hostAddress: isHere ? gateway : 'host-gateway',
        async [Symbol.asyncDispose]() {
            await network.remove().catch(() => undefined);
        },
    };
}
