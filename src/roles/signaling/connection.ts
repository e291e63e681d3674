import type { ClientRequest, IncomingMessage } from 'node:http'
import type { SecureContext } from 'node:tls'
import { type ClientOptions, WebSocket } from 'ws'
import type { Clock } from '../../base/clock.ts'
import { failureOf } from '../../base/http/failure.ts'
import { alarm } from './deadline.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import type { Offer } from './offer.ts'

/** `ending`: the peer has begun to refuse or to close, and the event that says how comes within `endingMs`. */
type Stage = 'dialling' | 'upgrading' | 'open' | 'ending' | 'over'

/** A WebSocket whose every turn is an event of its log. Nothing that a peer does throws. */
export interface Connection extends AsyncDisposable {
  readonly log: EventLog
  stage(): Stage
  /** The peer took the connection, and over TLS proved who it is. */
  isReached(): boolean
  /** False where the connection is not open any more. */
  send(text: string): boolean
}

export interface ConnectionOptions {
  /** Whom to trust; the system's authorities where absent. */
  readonly secureContext?: SecureContext
  /** Largest message that is read. */
  readonly frameBytes: number
  readonly deadlineMs: number
  readonly clock: Clock
}

/** With what its published types do not know. */
type DialOptions = ClientOptions & {
  readonly secureContext?: SecureContext
  readonly maxHeaderSize: number
  readonly closeTimeout: number
}

type Said = Parameters<EventLog['push']>[0]

const headerBytes = 64 * 1024
const refusalBodyBytes = 4096
const closeMs = 250
const refusalBodyMs = 1000
/** How long `ending` can last at most, and some slack. */
export const endingMs = 1500

export function connect(offer: Offer, options: ConnectionOptions): Connection {
  const { clock, frameBytes } = options
  const log = createEventLog(clock, 2 * frameBytes)
  const isSecure = offer.url.startsWith('wss:')
  let reached = false
  let isAnswering = false
  let isOver = false
  const dialled: DialOptions = {
    ...(options.secureContext === undefined ? {} : { secureContext: options.secureContext }),
    rejectUnauthorized: true,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: frameBytes,
    maxHeaderSize: headerBytes,
    closeTimeout: closeMs,
    finishRequest: (request) => {
      request.on('socket', (stream) =>
        stream.on(isSecure ? 'secureConnect' : 'connect', () => (reached = true)),
      )
      prepare(request, offer)
      request.end()
    },
  }
  const socket = new WebSocket(offer.url, [...offer.protocols], dialled)

  const end = (event: Said) => {
    isOver = true
    log.push(event)
  }
  socket.on('upgrade', (response) => tolerateSubprotocol(response, offer.protocols))
  socket.on('open', () => log.push({ type: 'open', text: socket.protocol }))
  socket.on('message', (data) => log.push({ type: 'frame', text: textOf(data) }))
  socket.on('unexpected-response', async (_request, response) => {
    isAnswering = true
    const body = await beginningOf(response, clock)
    const text = `${response.statusCode ?? 0} ${response.statusMessage ?? ''}\n${body}`
    end({ type: 'http', code: response.statusCode ?? 0, text })
    socket.terminate()
  })
  socket.on('error', (error) => {
    if (isAnswering) return
    end(fault(error, options))
    socket.terminate()
  })
  socket.on('close', (code, reason) => end({ type: 'close', code, text: reason.toString() }))

  return {
    log,
    stage() {
      if (isOver) return 'over'
      if (isAnswering) return 'ending'
      if (socket.readyState === WebSocket.CONNECTING) return reached ? 'upgrading' : 'dialling'
      return socket.readyState === WebSocket.OPEN ? 'open' : 'ending'
    },
    isReached: () => reached,
    send(text) {
      if (socket.readyState !== WebSocket.OPEN) return false
      // What goes wrong in sending shows as the end of the connection.
      socket.send(text, () => undefined)
      log.push({ type: 'sent', text })
      return true
    },
    [Symbol.asyncDispose]: () => hungUp(socket, clock),
  }
}

/** Closes politely, and forcibly where the peer does not close in time. */
async function hungUp(socket: WebSocket, clock: Clock): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return
  const closed = Promise.withResolvers<void>()
  socket.once('close', () => closed.resolve())
  if (socket.readyState === WebSocket.OPEN) socket.close(1000)
  if (socket.readyState === WebSocket.CONNECTING) socket.terminate()
  const cancel = alarm(clock, clock.monotonic() + closeMs, () => socket.terminate())
  await closed.promise
  cancel()
}

function prepare(request: ClientRequest, { headers }: Offer): void {
  // Only their bytes are limited: with too many headers Node would drop the last ones silently.
  request.maxHeadersCount = 0
  for (const [name] of headers) {
    const values = headers
      .filter(([other]) => other.toLowerCase() === name.toLowerCase())
      .map(([, value]) => value)
    request.setHeader(name, values.length === 1 ? values.join() : values)
  }
}

/** As native clients do: a service that chooses no subprotocol, or one that was not offered, has still accepted. */
function tolerateSubprotocol(response: IncomingMessage, offered: readonly string[]): void {
  const chosen = response.headers['sec-websocket-protocol']
  if (chosen !== undefined && offered.includes(chosen)) return
  const [first] = offered
  if (first === undefined) delete response.headers['sec-websocket-protocol']
  else response.headers['sec-websocket-protocol'] = first
}

/** The first bytes of a refusal's body, however slowly they come; never rejects. */
async function beginningOf(response: IncomingMessage, clock: Clock): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const cancel = alarm(clock, clock.monotonic() + refusalBodyMs, () => response.destroy())
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= refusalBodyBytes) break
    }
  } catch {
    // What came before the body broke off is what there is to show.
  }
  cancel()
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, refusalBodyBytes))
}

function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  return new TextDecoder().decode(Array.isArray(data) ? Buffer.concat(data) : data)
}

/** What an error of the socket means. */
function fault(error: Error & { code?: string }, { deadlineMs, frameBytes }: ConnectionOptions): Said {
  const { code = '', message } = error
  const reserved = /invalid status code (\d+)/.exec(message)?.[1]
  // A close code that the RFC reserves is still what the service said.
  if (reserved !== undefined) return { type: 'close', code: Number(reserved), text: message }
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return { type: 'error', text: `sent a message of more than ${frameBytes} bytes` }
  if (code.startsWith('WS_ERR')) return { type: 'error', text: `sent a frame that is not valid (${message})` }
  if (code === '') return { type: 'error', text: `did not complete the upgrade (${message})` }
  return { type: 'error', text: failureOf(error, deadlineMs, headerBytes).message }
}
