import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { centrifugo } from '../../fixtures/servers/centrifugo.ts'
import { startEjabberd } from '../../fixtures/servers/ejabberd.ts'
import { startGraphqlWs } from '../../fixtures/servers/graphql-ws.ts'
import { startHocuspocus } from '../../fixtures/servers/hocuspocus.ts'
import { janus } from '../../fixtures/servers/janus.ts'
import { livekit } from '../../fixtures/servers/livekit.ts'
import { startMosquitto } from '../../fixtures/servers/mosquitto.ts'
import { startMqtt } from '../../fixtures/servers/mqtt.ts'
import { startNchan } from '../../fixtures/servers/nchan.ts'
import { phoenix } from '../../fixtures/servers/phoenix.ts'
import { startProsody } from '../../fixtures/servers/prosody.ts'
import type { ForeignServer } from '../../fixtures/servers/server.ts'
import { signalr } from '../../fixtures/servers/signalr.ts'
import { startSocketIo } from '../../fixtures/servers/socket-io.ts'
import { startSockJs } from '../../fixtures/servers/sockjs.ts'
import type { DocumentedFrames, Verify } from '../../fixtures/servers/stand-in.ts'
import type { Mistake } from '../../fixtures/servers/verify.ts'
import { loadConfiguration } from '../../src/configuration/load.ts'
import { type Detection, detect } from '../../src/detect/detect.ts'
import type { AnyCheck } from '../../src/requirement/define.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import type { SignalingProfile } from '../../src/roles/signaling/profile.ts'

/** Servers that others wrote. Those that come with npm are judged by the tests, the others by npm run proof -- servers. */
export const foreignServers: Readonly<Record<string, (otherwise?: Verify) => Promise<ForeignServer>>> = {
  'socket-io': () => startSocketIo(),
  'socket-io-polling': () => startSocketIo(),
  mqtt: startMqtt,
  'mqtt-profile': startMqtt,
  hocuspocus: startHocuspocus,
  'graphql-ws': startGraphqlWs,
  sockjs: startSockJs,
}

/** Products as they are installed, set up rightly or with a mistake. */
interface Product {
  /** Packages of Debian. */
  readonly debian: readonly string[]
  /** The folder of its example, where it has another name. */
  readonly example?: string
  start(mistake?: Mistake): Promise<ForeignServer>
}

export const products: Readonly<Record<string, Product>> = {
  'socket-io': { debian: [], start: startSocketIo },
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

/** Packages that this machine lacks. */
export async function missingOf({ debian }: Product): Promise<readonly string[]> {
  const isInstalled = await Promise.all(
    debian.map((name) =>
      promisify(execFile)('dpkg', ['--status', name]).then(
        ({ stdout }) => stdout.includes('ok installed'),
        () => false,
      ),
    ),
  )
  return debian.filter((_, place) => isInstalled[place] !== true)
}

/** Requirements that a wrong profile or adapter would fail first. */
export const essential = ['SIG-02', 'SIG-03', 'SIG-08', 'SIG-20', 'SIG-21']

const examples = join(import.meta.dirname, '../../examples')

/** Products that are not at hand: what stands in for them speaks the frames of their documentation. */
export const standIns: Readonly<Record<string, DocumentedFrames>> = {
  signalr,
  phoenix,
  centrifugo,
  livekit,
  janus,
}

/** Judges a server by the configuration that is shipped for it; with the key of its mint, nothing waits for an expiry. */
export async function judgeByExample(
  name: string,
  server: ForeignServer,
  checks: readonly AnyCheck[],
  { withKey = false, profile }: { readonly withKey?: boolean; readonly profile?: SignalingProfile } = {},
): Promise<CheckResult[]> {
  const { limits, token, signaling, ...configuration } = await exampleFor(name, server)
  const { signWith } = server.mint
  // An adapter says "refused" of what a busy machine has not answered by then.
  await using session = await openSession({
    ...configuration,
    signaling: signaling && profile ? { ...signaling, access: { profile } } : signaling,
    token: withKey && 'secret' in signWith ? { ...token, signWith } : token,
    limits: { ...limits, requestSeconds: 30 },
  })
  return await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
}

/** Detects a server of which only the address of its signaling is known. */
export async function detectServer(name: string, server: ForeignServer): Promise<Detection> {
  const { signaling, ...others } = await exampleFor(name, server)
  if (signaling === undefined) throw new Error(`the example for ${name} has no signaling`)
  const { access: _, ...unknown } = signaling
  return await detect({ ...others, signaling: unknown })
}

function exampleFor(name: string, { mint, signalingUrl }: ForeignServer) {
  return loadConfiguration(join(examples, name, 'twotoken.yaml'), {
    MINT_URL: mint.url,
    CALLING_API_KEY: mint.keys.active,
    SIGNALING_URL: signalingUrl,
  })
}
