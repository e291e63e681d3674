import { hostName } from '../../start/containers/network.js';
import { freePort } from '../../start/free-port.js';
import { startTap } from '../../taps/tap.js';
export async function wired(base, networks, stack) {
    const taps = [];
    const address = (port) => `http://${hostName}:${port}`;
    const tapped = async (from) => {
        const network = networks[from];
        if (network === undefined)
            return '';
        const tap = stack.use(await startTap({ from, to: 'mint', host: network.listenHost }));
        taps.push(tap);
        return address(tap.port);
    };
    const signalingMintUrl = await tapped('signaling');
    const isFixed = base.absent.some(({ what }) => what === 'switchableMint');
    const { backend } = networks;
    if (backend === undefined || isFixed)
        return { backendMintUrl: await tapped('backend'), signalingMintUrl, taps };
    const double = base.backend?.fakeMint ?? {
        host: backend.listenHost,
        port: await freePort(backend.listenHost),
    };
    return { double, backendMintUrl: address(double.port), signalingMintUrl, taps };
}
