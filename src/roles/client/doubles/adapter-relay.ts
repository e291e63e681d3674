import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { RecordedEvent } from '../../../base/evidence/exchange.ts'
import { pairsOf } from '../../../base/http/incoming.ts'
import { refuseUpgrade } from '../../../base/http/requested-address.ts'
import { corsHeaders, isPreflight } from '../proxy/cors.ts'
import { bridgeSocket, mostAheadBytes } from '../proxy/forward-proxy.ts'
import type { DoubleContext } from './double-context.ts'
import type { ConnectionProgress, Mutable } from './serving-signaling.ts'

/** One socket or HTTP request of the client, relayed to the double that an adapter has started. */
export interface Relayed {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Messages of the socket, or the body of the request. */
  readonly sent: readonly string[]
  readonly events: readonly RecordedEvent[]
  readonly progress: ConnectionProgress
}

export type AdapterRelay = ReturnType<typeof createAdapterRelay>

interface Entry extends Relayed {
  readonly sent: string[]
  readonly events: RecordedEvent[]
  readonly progress: Mutable<ConnectionProgress>
  cut(): void
}

const ofOneHop = /^(?:host|connection|upgrade|sec-websocket-.*|keep-alive|te|trailer|transfer-encoding)$/i

interface Relay {
  readonly context: DoubleContext
  readonly upstream: URL
  readonly entries: Entry[]
  readonly waiting: Set<{ readonly relayed: Relayed; readonly callback: () => void }>
  latest: Entry | undefined
  activeAt: number
}

/** @param upstream http URL of the adapter's double */
export function createAdapterRelay(context: DoubleContext, upstream: URL) {
  const relay: Relay = {
    context,
    upstream,
    entries: [],
    waiting: new Set(),
    latest: undefined,
    activeAt: 0,
  }
  return {
    all: (): readonly Relayed[] => relay.entries,
    /** The one on which the client sent something last. */
    latest: (): Relayed | undefined => relay.latest,
    /** The monotonic instant of what happened last. */
    lastActivity: () => relay.activeAt,
    /** Calls back once the client has received something that was sent to it from now on, other than a receipt for this. */
    onReceived: (relayed: Relayed, callback: () => void) => void relay.waiting.add({ relayed, callback }),
    cut() {
      for (const entry of relay.entries.filter(({ progress }) => !progress.isOver)) {
        note(relay, entry, 'error', 'connection cut')
        entry.cut()
        finish(relay, entry)
      }
    },
    serve: serve.bind(null, relay),
    request: relayRequest.bind(null, relay),
  }
}

function serve(relay: Relay, url: URL, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const headers = pairsOf(request.rawHeaders).filter(([name]) => !ofOneHop.test(name))
  const options = { headers: Object.fromEntries(headers), perMessageDeflate: false }
  const entry = begin(relay, url, request, () => void stream.destroy())
  stream.once('close', () => finish(relay, entry))
  const service = bridgeSocket(addressOf(relay, url), request, stream, head, options, (client) => {
    note(relay, entry, 'open', '')
    join(relay, entry, client, service)
  })
  service.once('unexpected-response', (_, answer) => {
    answer.destroy()
    note(relay, entry, 'http', String(answer.statusCode))
    refuseUpgrade(stream, answer.statusCode ?? 502)
  })
}

async function relayRequest(
  relay: Relay,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  for (const [name, value] of Object.entries(corsHeaders(request))) response.setHeader(name, value ?? '')
  if (isPreflight(request)) {
    response.writeHead(204).end()
    return
  }
  const entry = begin(relay, url, request, () => request.socket.destroy())
  if (body.byteLength > 0) noteSent(relay, entry, body.toString('utf8'))
  response.once('finish', () => {
    // A request that waits for what comes next (long polling) gets the decision; the one with the credential does not.
    const isPolling = relay.entries.some((other) => other !== entry && isOpenRequest(other))
    callBack(relay, isPolling ? entry : undefined)
  })
  response.once('close', () => finish(relay, entry))
  await relay.context.forwardProxy.forwardRequest(addressOf(relay, url), request, response, body)
}

function begin(relay: Relay, url: URL, request: IncomingMessage, cut: () => void): Entry {
  const entry: Entry = {
    url: url.href,
    headers: pairsOf(request.rawHeaders),
    sent: [],
    events: [],
    progress: { key: request.headers['sec-websocket-key'] ?? null, framesSent: 0, isOver: false },
    cut,
  }
  relay.entries.push(entry)
  relay.activeAt = relay.context.recorder.now()
  relay.latest = entry
  return entry
}

function note(relay: Relay, entry: Entry, type: RecordedEvent['type'], text: string) {
  relay.activeAt = relay.context.recorder.now()
  entry.events.push({ at: relay.context.recorder.now(), type, text })
  relay.context.changeSignal.notify()
}

function noteSent(relay: Relay, entry: Entry, text: string) {
  relay.latest = entry
  entry.sent.push(text)
  note(relay, entry, 'sent', text)
}

function finish(relay: Relay, entry: Entry) {
  if (entry.progress.isOver) return
  entry.progress.isOver = true
  relay.context.changeSignal.notify()
}

function callBack(relay: Relay, except?: Relayed) {
  for (const one of [...relay.waiting].filter(({ relayed }) => relayed !== except)) {
    relay.waiting.delete(one)
    one.callback()
  }
}

function addressOf(relay: Relay, { pathname, search }: URL) {
  return new URL(pathname + search, relay.upstream)
}

function join(relay: Relay, entry: Entry, client: WebSocket, service: WebSocket) {
  client.on('message', (data: RawData, isBinary: boolean) => {
    const text = String(data)
    if (!relay.context.keep(text.length)) return entry.cut()
    noteSent(relay, entry, text)
    pass(data, isBinary, service, entry)
  })
  service.on('message', (data: RawData, isBinary: boolean) => {
    pass(data, isBinary, client, entry)
    entry.progress.framesSent += 1
    note(relay, entry, 'frame', String(data))
    if (relay.waiting.size > 0) client.ping()
  })
  client.on('pong', () => callBack(relay))
  client.on('close', (code, reason) => {
    note(relay, entry, 'close', `${code} ${String(reason)}`.trim())
    end(service, code, reason)
    finish(relay, entry)
  })
  service.on('close', (code, reason) => {
    end(client, code, reason)
    finish(relay, entry)
  })
  client.on('error', () => service.terminate())
}

function isOpenRequest({ progress }: Entry): boolean {
  return progress.key === null && !progress.isOver
}

function pass(data: RawData, binary: boolean, to: WebSocket, entry: Entry): void {
  to.send(data, { binary })
  if (to.bufferedAmount > mostAheadBytes) entry.cut()
}

/** Passes a close on with its code, of which some only say that there was none. */
function end(socket: WebSocket, code: number, reason: Buffer): void {
  if (code === 1005) socket.close()
  else if (code === 1000 || (code > 1000 && code < 1004) || (code > 1006 && code < 1015) || code >= 3000)
    socket.close(code, reason)
  else socket.terminate()
}
