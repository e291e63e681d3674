import type { ClientRequest, IncomingMessage } from 'node:http'
import type { SecureContext } from 'node:tls'
import { type ClientOptions, WebSocket } from 'ws'
import { type Clock, setDeadline } from '../../base/clock.ts'
import { failureOf, unavailableByFailure } from '../../base/http/failure.ts'
import { type ProxySettings, proxyFor } from '../../base/http/proxy-settings.ts'
import { createTunnelAgent, ProxyRefused } from '../../base/http/tunnel.ts'
import { writeSize } from '../../base/size-text.ts'
import { closeMs, refusalBodyMs } from '../../base/times.ts'
import { createEventLog, type EventLog, type SentFrames, type WrittenFrame } from './event-log.ts'
import type { JoinRequest } from './join-request.ts'
import type { MessageCodec } from './message-codec.ts'

/** `ending`: the peer has begun to refuse or to close, and the event that says how comes within `endingMs`. */
type Stage = 'connecting' | 'upgrading' | 'open' | 'ending' | 'over'

export type Connection = ReturnType<typeof connect>

export interface ConnectionOptions {
  /** Whom to trust; the system's authorities where absent. */
  readonly secureContext?: SecureContext | undefined
  /** Through which it goes; direct where undefined. */
  readonly proxy?: ProxySettings | undefined
  /** Largest message that is read. */
  readonly frameBytes: number
  readonly codec: MessageCodec
  /** Where the connection comes from; the system's choice where absent. */
  readonly localAddress?: string | undefined
  /** Offers the service to compress messages (RFC 7692). */
  readonly offersCompression?: boolean | undefined
  readonly deadlineMs: number
  readonly clock: Clock
}

/** The options of `ws` and of the Node request below it, which its types leave out. */
type SocketOptions = ClientOptions & {
  readonly secureContext?: SecureContext | undefined
  readonly maxHeaderSize: number
  readonly closeTimeout: number
}

type PushedEvent = Parameters<EventLog['push']>[0]

const headerBytes = 64 * 1024
const refusalBodyBytes = 4096
/** Frames of one connection that are kept, but the last of them whole: a search for a profile has some hundred connections. */
const keptCharacters = 256 * 1024

/** A WebSocket that records whatever happens to it as an event of its log. Nothing that a peer does throws. */
export function connect(join: JoinRequest, options: ConnectionOptions) {
  const { clock, codec, frameBytes } = options
  const log = createEventLog(clock, keptCharacters)
  const isSecure = join.url.startsWith('wss:')
  let reached = false
  let isAnswering = false
  let isOver = false
  const secure = options.secureContext === undefined ? {} : { secureContext: options.secureContext }
  const address = new URL(join.url)
  const proxy = proxyFor(address, options.proxy)
  const socketOptions: SocketOptions = {
    ...secure,
    agent: proxy === null ? undefined : createTunnelAgent(proxy, address, secure),
    localAddress: options.localAddress,
    rejectUnauthorized: true,
    perMessageDeflate: options.offersCompression === true ? { threshold: 0 } : false,
    followRedirects: false,
    maxPayload: frameBytes,
    maxHeaderSize: headerBytes,
    closeTimeout: closeMs,
    finishRequest: (request) => {
      request.on('socket', (stream) => {
        // A tunnel is connected before the request gets it.
        if (!isSecure && !stream.connecting) reached = true
        stream.on(isSecure ? 'secureConnect' : 'connect', () => (reached = true))
      })
      setHeaders(request, join)
      request.end()
    },
  }
  const socket = new WebSocket(join.url, [...join.protocols], socketOptions)

  const end = (event: PushedEvent) => {
    isOver = true
    log.push(event)
  }
  socket.on('upgrade', (response) => tolerateSubprotocol(response, join.protocols))
  socket.on('open', () => log.push({ type: 'open', text: socket.protocol }))
  socket.on('message', (data) => log.push({ type: 'frame', ...codec.toContent(codec.fromFrame(data)) }))
  socket.on('unexpected-response', async (_request, response) => {
    isAnswering = true
    const body = await readBodyStart(response, clock)
    const text = `${response.statusCode ?? 0} ${response.statusMessage ?? ''}\n${body}`
    const retryAfter = response.headers['retry-after']
    end({ type: 'http', code: response.statusCode ?? 0, text, retryAfter })
    socket.terminate()
  })
  socket.on('error', (error) => {
    if (isAnswering) return
    end(describeFault(error, options))
    socket.terminate()
  })
  socket.on('close', (code, reason) => end({ type: 'close', code, text: reason.toString() }))

  return {
    log,
    stage(): Stage {
      if (isOver) return 'over'
      if (isAnswering) return 'ending'
      if (socket.readyState === WebSocket.CONNECTING) return reached ? 'upgrading' : 'connecting'
      return socket.readyState === WebSocket.OPEN ? 'open' : 'ending'
    },
    /** The peer took the connection, and over TLS proved who it is. */
    isReached: () => reached,
    /** False where the connection is not open any more. */
    send(message: string): boolean {
      if (socket.readyState !== WebSocket.OPEN) return false
      // A failure to send shows as the end of the connection.
      socket.send(codec.toFrame(message), () => undefined)
      log.push({ type: 'sent', ...codec.toContent(message) })
      return true
    },
    /** Sends frames as they are, and resolves when the peer has read them, at the end or at the deadline. */
    async sendFrames(frames: readonly WrittenFrame[], readByMs: number): Promise<SentFrames> {
      const read = Promise.withResolvers<SentFrames>()
      socket.once('close', () => read.resolve('ended'))
      // A peer that has begun to close reads nothing more: its end follows within `closeMs`.
      if (socket.readyState === WebSocket.CLOSING) return await read.promise
      if (socket.readyState !== WebSocket.OPEN) return 'ended'
      // The peer answers a ping when it has read all before it.
      socket.once('pong', () => read.resolve('read'))
      for (const { text, isLast, isCompressed } of frames)
        socket.send(text, { fin: isLast, compress: isCompressed, binary: false }, () => undefined)
      const characters = frames.reduce((sum, { text }) => sum + text.length, 0)
      if (frames.length > 0)
        log.push({ type: 'sent', text: `${frames.length} frames of ${characters} characters` })
      socket.ping(undefined, undefined, () => undefined)
      const cancel = setDeadline(clock, clock.monotonic() + readByMs, () => read.resolve('unread'))
      const sent = await read.promise
      cancel()
      return sent
    },
    /** The service has agreed to compressed messages. */
    isCompressed: () => socket.extensions.includes('permessage-deflate'),
    async [Symbol.asyncDispose]() {
      // Nobody reads what a flood sends until its end.
      socket.removeAllListeners('message')
      await closeSocket(socket, clock)
    },
  }
}

/** Closes politely, and forcibly where the peer does not close in time. */
async function closeSocket(socket: WebSocket, clock: Clock): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return
  const closed = Promise.withResolvers<void>()
  socket.once('close', () => closed.resolve())
  if (socket.readyState === WebSocket.OPEN) socket.close(1000)
  if (socket.readyState === WebSocket.CONNECTING) socket.terminate()
  const cancel = setDeadline(clock, clock.monotonic() + closeMs, () => socket.terminate())
  await closed.promise
  cancel()
}

function setHeaders(request: ClientRequest, { headers }: JoinRequest): void {
  // Only their bytes are limited: with a limit on their number Node would drop the last ones silently.
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
async function readBodyStart(response: IncomingMessage, clock: Clock): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const cancel = setDeadline(clock, clock.monotonic() + refusalBodyMs, () => response.destroy())
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= refusalBodyBytes) break
    }
  } catch {
    // A body that breaks off is shown as far as it came.
  }
  cancel()
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, refusalBodyBytes))
}

/** Explains an error of the socket. */
function describeFault(
  error: Error & { code?: string },
  { deadlineMs, frameBytes }: ConnectionOptions,
): PushedEvent {
  const { code = '', message } = error
  const reserved = /invalid status code (\d+)/.exec(message)?.[1]
  // A close code that the RFC reserves is still what the service said.
  if (reserved !== undefined) return { type: 'close', code: Number(reserved), text: message }
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return { type: 'error', text: `sent a message of more than ${writeSize(frameBytes)}` }
  if (code.startsWith('WS_ERR')) return { type: 'error', text: `sent an invalid frame (${message})` }
  if (code === '' && !(error instanceof ProxyRefused))
    return { type: 'error', text: `did not complete the upgrade (${message})` }
  const failed = failureOf(error, deadlineMs, headerBytes)
  return { type: 'error', text: failed.message, unavailable: unavailableByFailure[failed.kind] }
}
