import { startEjabberd } from '../../fixtures/servers/ejabberd.ts'
import { startMosquitto } from '../../fixtures/servers/mosquitto.ts'
import { startNchan } from '../../fixtures/servers/nchan.ts'
import { startProsody } from '../../fixtures/servers/prosody.ts'
import type { ForeignServer, Mistake } from '../../fixtures/servers/server.ts'

/** Products as they are installed, set up rightly or with a mistake. */
interface Product {
  /** Packages of Debian. */
  readonly debian: readonly string[]
  /** The folder of its example, where it has another name. */
  readonly example?: string
  start(mistake?: Mistake): Promise<ForeignServer>
}

export const products: Readonly<Record<string, Product>> = {
  nchan: { debian: ['nginx', 'libnginx-mod-nchan'], start: startNchan },
  prosody: { debian: ['prosody'], start: startProsody },
  ejabberd: { debian: ['ejabberd'], start: startEjabberd },
  mosquitto: {
    debian: ['mosquitto', 'gcc', 'libc6-dev', 'libjwt-dev', 'libmosquitto-dev', 'mosquitto-dev'],
    example: 'mqtt-profile',
    start: startMosquitto,
  },
}

/** The requirement that catches each mistake. */
export const caughtBy: Readonly<Record<Mistake, string>> = {
  'verifies no signature': 'SIG-21',
  'takes tokens without a signature': 'SIG-20',
  'takes tokens that have expired': 'SIG-06',
  'lets clients in that have no token': 'SIG-03',
}
