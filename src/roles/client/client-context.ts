import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { readBody } from '../../base/http/incoming.ts'
import { createBackendDouble } from './doubles/backend-double.ts'
import { createDoubleContext, type DoubleContextOptions } from './doubles/double-context.ts'
import { createOtherTraffic } from './doubles/other-traffic.ts'
import { type SpokenSignaling, startSignalingDouble } from './doubles/spoken-signaling.ts'
import { isPreflight } from './proxy/cors.ts'
import type { TrafficHandler } from './proxy/intercepting-proxy.ts'
import type { OpenOptions } from './types.ts'

/** Everything around one opened client: the doubles, the rest of the web, and what each of them saw. */
export type ClientContext = Awaited<ReturnType<typeof createClientContext>>

export interface ClientContextOptions extends DoubleContextOptions {
  readonly spoken: SpokenSignaling | null
  readonly open: OpenOptions
  /** The client can see with which status an upgrade was refused. */
  readonly seesStatus: boolean
}

/** Rejects with ControlLost where the double that an adapter brings does not start. */
export async function createClientContext(options: ClientContextOptions) {
  const { configuration, spoken, open, seesStatus } = options
  const context = createDoubleContext(options)
  const { hosts, tokenIssuer } = context
  // Records belong to the check that opened the client, whichever request they come with.
  const asOpened = AsyncLocalStorage.snapshot()
  const backend = createBackendDouble(context)
  const signaling = await startSignalingDouble(context, spoken, { seesStatus })
  const otherTraffic = createOtherTraffic(context)

  const isSignaling = (url: URL, request: IncomingMessage): boolean => {
    if (hosts.isOtherOrigin(url)) return false
    if (hosts.isSignaling(url)) return true
    if (open.everySocketIsSignaling === true) return hosts.kindOf(url) !== 'own'
    // Without an address of its own in the configuration, a socket that carries a calling JWT shows what it is.
    const upgrade = [url.href, ...request.rawHeaders].join('\n')
    const { signalingUrl } = configuration.client ?? {}
    return signalingUrl === undefined && tokenIssuer.issued.some(({ jwt }) => upgrade.includes(jwt))
  }
  let isOver = false
  const arrivals = new Map<string, number>()
  const trafficHandler: TrafficHandler = {
    connecting: context.noteActivity,
    request: (url, request, response) =>
      asOpened(() => {
        context.noteActivity()
        if (!isPreflight(request)) arrivals.set(url.href, (arrivals.get(url.href) ?? 0) + 1)
        readBody(request, longestBody)
          .then(async (body) => {
            // Requests that a client sends while it is being closed are not judged.
            if (isOver || !context.keep(body.byteLength + sizeOf(request))) response.destroy()
            else if (hosts.isTokenRoute(url))
              await backend.serve(url, request, response, body.toString('utf8'))
            else if (signaling.request !== null && (hosts.isSignaling(url) || hosts.isSignalingHttp(url)))
              await signaling.request(url, request, response, body)
            else await otherTraffic.request(url, request, response, body)
          })
          .catch(() => response.destroy())
      }),
    upgrade: (url, request, stream, head) =>
      asOpened(() => {
        context.noteActivity()
        if (isOver || !context.keep(sizeOf(request))) stream.destroy()
        else if (isSignaling(url, request))
          signaling.serve(url, request, stream, head).catch(() => stream.destroy())
        else otherTraffic.socket(url, request, stream, head)
      }),
  }
  return {
    ...context,
    /** The client gave up a request that it began so long ago, or what a redirect of it led to. */
    noteGivenUp: backend.noteGivenUp,
    backend,
    signaling,
    otherTraffic,
    trafficHandler,
    /** How many requests for this address have come, preflights aside. */
    arrivalsAt: (url: string) => arrivals.get(url) ?? 0,
    /** Ends what goes on and records it. */
    end() {
      isOver = true
      backend.end()
      signaling.end()
      otherTraffic.end()
    },
  }
}

function sizeOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, url.length)
}

const longestBody = 16 * 1024 * 1024
