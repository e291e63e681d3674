import type { Configuration } from '../../configuration/configuration.ts'
import { type RecordingProxy, startRecordingProxy } from '../../roles/flow/recording-proxy.ts'
import { hostName, type OwnNetwork } from './engine/container.ts'
import { findFreePort } from './engine/engine.ts'

/** The addresses at which the backend and signaling reach the mint: those of the mint double and of recording proxies. */
export interface MintRoutes {
  /** Absent where the backend reaches the mint itself. */
  readonly double?: { readonly host: string; readonly port: number }
  readonly backendMintUrl: string
  readonly signalingMintUrl: string
  /** Where signaling reaches a port of this machine that is free; absent where its network is in a virtual machine. */
  readonly signalingCallbackUrl?: string
  readonly proxies: readonly RecordingProxy[]
}

const loopback = '127.0.0.1'

export async function routeToMint(
  base: Configuration,
  networks: ReadonlyMap<string, OwnNetwork>,
  stack: AsyncDisposableStack,
): Promise<MintRoutes> {
  const proxies: RecordingProxy[] = []
  const address = (port: number) => `http://${hostName}:${port}`
  const record = async (from: 'backend' | 'signaling') => {
    const network = networks.get(from)
    if (network === undefined) return ''
    const proxy = stack.use(await startRecordingProxy({ from, to: 'mint', host: network.listenHost }))
    proxies.push(proxy)
    return address(proxy.port)
  }
  const signalingMintUrl = await record('signaling')
  // The same address leads to the machine from the container and from the suite.
  const callbackHost = networks.get('signaling')?.listenHost ?? loopback
  const callback =
    callbackHost === loopback
      ? {}
      : { signalingCallbackUrl: `http://${callbackHost}:${await findFreePort(callbackHost)}` }
  const isFixed = base.absent.some(({ what }) => what === 'switchableMint')
  const backend = networks.get('backend')
  if (backend === undefined || isFixed)
    return { backendMintUrl: await record('backend'), signalingMintUrl, ...callback, proxies }
  const double = base.backend?.fakeMint ?? {
    host: backend.listenHost,
    port: await findFreePort(backend.listenHost),
  }
  return { double, backendMintUrl: address(double.port), signalingMintUrl, ...callback, proxies }
}
