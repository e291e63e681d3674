import type { Configuration } from '../../configuration/configuration.ts'
import { type RecordingProxy, startRecordingProxy } from '../../roles/flow/recording-proxy.ts'
import { hostName, type OwnNetwork } from './containers/network.ts'
import { freePort } from './free-port.ts'
import type { Part } from './parts.ts'

/** The addresses at which the parts reach each other: those of the suite's double and taps. */
export interface Wires {
  /** Absent where the backend speaks to the mint itself. */
  readonly double?: { readonly host: string; readonly port: number }
  readonly backendMintUrl: string
  readonly signalingMintUrl: string
  readonly taps: readonly RecordingProxy[]
}

export async function wired(
  base: Configuration,
  networks: Readonly<Partial<Record<Part, OwnNetwork>>>,
  stack: AsyncDisposableStack,
): Promise<Wires> {
  const taps: RecordingProxy[] = []
  const address = (port: number) => `http://${hostName}:${port}`
  const tapped = async (from: 'backend' | 'signaling') => {
    const network = networks[from]
    if (network === undefined) return ''
    const tap = stack.use(await startRecordingProxy({ from, to: 'mint', host: network.listenHost }))
    taps.push(tap)
    return address(tap.port)
  }
  const signalingMintUrl = await tapped('signaling')
  const isFixed = base.absent.some(({ what }) => what === 'switchableMint')
  const { backend } = networks
  if (backend === undefined || isFixed)
    return { backendMintUrl: await tapped('backend'), signalingMintUrl, taps }
  const double = base.backend?.fakeMint ?? {
    host: backend.listenHost,
    port: await freePort(backend.listenHost),
  }
  return { double, backendMintUrl: address(double.port), signalingMintUrl, taps }
}
