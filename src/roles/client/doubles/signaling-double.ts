import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RecordedEvent } from '../../../base/evidence/exchange.ts'
import { pairsOf } from '../../../base/http/incoming.ts'
import { Untested } from '../../../base/inconclusive.ts'
import { tokensIn } from '../../../base/tokens/decode.ts'
import { carriages } from '../../signaling/carriages/registry.ts'
import { readDeclaringMessage, readUpgrade } from '../../signaling/declared-users/registry.ts'
import { codecOf, type MessageCodec } from '../../signaling/message-codec.ts'
import type { SignalingProfile } from '../../signaling/profile.ts'
import type { Credential } from '../../signaling/template.ts'
import type { ConnectionAttempt, SignalingReaction, SignalingScript } from '../types.ts'
import type { DoubleContext } from './double-context.ts'
import {
  beginAttempt,
  type ConnectionProgress,
  endAttempt,
  isValid,
  type Mutable,
  type ServingSignaling,
  type SignalingText,
} from './serving-signaling.ts'
import type { SignalingResponses } from './signaling-responses.ts'

/** A connection with its attempt; a client that stays on a socket on which it was refused begins another one there. */
interface Connection {
  attempt: ReturnType<typeof beginAttempt>
  /** Since this attempt began. */
  events: RecordedEvent[]
  readonly progress: Mutable<ConnectionProgress>
  readonly stream: Duplex
  socket: WebSocket | null
  /** Decision that was made before the credential came. */
  reaction: SignalingReaction | 'undecided'
  /** The double has said 401, and left the socket open. */
  isRefused: boolean
}

/** Some clients, as that of Centrifugo, read a close code beside a reason only. */
const closeReason = 'unauthorized'
const longestFrame = 16 * 1_048_576
/** Where a client that is told its address connects. */
export const doublePath = '/signaling'

interface Double {
  readonly context: DoubleContext
  readonly profile: SignalingProfile
  readonly responses: SignalingResponses
  readonly sockets: WebSocketServer
  readonly codec: MessageCodec
  readonly connections: Set<Connection>
  readonly attempts: ConnectionAttempt[]
  readonly progress: ConnectionProgress[]
  readonly isByMessage: boolean
  script: SignalingScript | null
  isAskedAtUpgrade: boolean
}

export function createSignalingDouble(
  context: DoubleContext,
  profile: SignalingProfile,
  responses: SignalingResponses,
): ServingSignaling {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestFrame,
    handleProtocols: (offered) =>
      carriages.chooseProtocol(profile.carriage, offered) ||
      ([...offered].find((protocol) => tokensIn(protocol).length === 0) ?? [...offered][0] ?? false),
  })
  const double: Double = {
    context,
    profile,
    responses,
    sockets,
    codec: codecOf(profile),
    connections: new Set(),
    attempts: [],
    progress: [],
    isByMessage: carriages.cueOf(profile.carriage) !== null,
    script: null,
    isAskedAtUpgrade: false,
  }

  return {
    refusals: responses.refusals,
    path: doublePath,
    request: null,
    attempts: () => double.attempts,
    connections: () => double.progress,
    texts: () => double.attempts.flatMap((attempt) => splitAttempt(attempt, profile)),
    answer(next, asked) {
      double.script = next
      double.isAskedAtUpgrade = asked === 'at the upgrade'
    },
    refuseOpen() {
      if (responses.refusals.inSession === null)
        throw new Untested(
          'signaling.profile has no close code and no frame that means 401, so an open socket cannot be rejected',
        )
      for (const connection of openConnections(double)) refuse(double, connection)
    },
    dropOpen() {
      for (const connection of openConnections(double)) cut(double, connection, 'dropped')
    },
    serve: (url, request, stream, head) => serve(double, url, request, stream, head),
    end() {
      for (const connection of [...double.connections]) {
        connection.socket?.terminate()
        finish(double, connection, null)
        connection.stream.destroy()
      }
      sockets.close()
    },
  }
}

/** Answers an upgrade, as the script says or as the service would. */
async function serve(
  double: Double,
  url: URL,
  request: IncomingMessage,
  stream: Duplex,
  head: Buffer,
): Promise<void> {
  const { context, profile } = double
  const { jwt, userId } = readUpgrade(request, profile)
  const connection: Connection = {
    attempt: beginAttempt(context, {
      url: url.href,
      headers: pairsOf(request.rawHeaders),
      credential: jwt,
      declaredUser: userId,
    }),
    events: [],
    progress: { key: request.headers['sec-websocket-key'] ?? null, framesSent: 0, isOver: false },
    stream,
    socket: null,
    reaction: 'undecided',
    isRefused: false,
  }
  double.connections.add(connection)
  double.attempts.push(connection.attempt)
  double.progress.push(connection.progress)
  stream.once('close', () => finish(double, connection, 'failed', { byClient: true }))
  context.changeSignal.notify()
  const isDecidedLater = double.isByMessage && !double.isAskedAtUpgrade
  begin(double, connection, request, head, isDecidedLater ? 'undecided' : await askScript(double, connection))
}

async function askScript({ script }: Double, { attempt }: Connection): Promise<SignalingReaction> {
  return script === null ? 'ordinary' : await script(attempt)
}

function note(double: Double, connection: Connection, type: RecordedEvent['type'], text: string) {
  connection.events.push({ at: double.context.recorder.now(), type, text })
  double.context.changeSignal.notify()
}

function finish(
  double: Double,
  connection: Connection,
  outcome: ConnectionAttempt['outcome'],
  { byClient = false } = {},
) {
  if (!double.connections.delete(connection)) return
  connection.progress.isOver = true
  const isFault = byClient && isOwedWelcome(connection)
  endAttempt(double.context, connection.attempt, outcome, connection.events, isFault)
}

function ordinary({ context }: Double, { credential }: ConnectionAttempt): 'accept' | 'refuse' {
  return isValid(context, credential) ? 'accept' : 'refuse'
}

/** Before the upgrade: what needs no socket happens here. */
function begin(
  double: Double,
  connection: Connection,
  request: IncomingMessage,
  head: Buffer,
  reaction: Connection['reaction'],
) {
  connection.reaction = reaction
  if (reaction === 'hang') {
    // A stream that is not read does not show that the other end has left.
    connection.stream.once('end', () => connection.stream.destroy()).resume()
    return note(double, connection, 'timeout', 'left without a response')
  }
  if (reaction === 'drop') return cut(double, connection, 'dropped')
  if (typeof reaction === 'object') return refuseWith(double, connection, reaction.http, reaction.location)
  if (!double.isByMessage) {
    const decided = reaction === 'ordinary' ? ordinary(double, connection.attempt) : reaction
    connection.reaction = decided
    if (decided === 'refuse' && double.responses.refusals.atConnect === 'http') {
      connection.attempt.outcome = 'refused'
      return refuseWith(double, connection, double.responses.status)
    }
  }
  return double.sockets.handleUpgrade(request, connection.stream, head, (socket) =>
    open(double, connection, socket),
  )
}

function open(double: Double, connection: Connection, socket: WebSocket) {
  connection.socket = socket
  note(double, connection, 'open', '')
  socket.on('message', (data, isBinary) =>
    receive(double, connection, double.codec.fromFrame(data), double.codec.isOfKind(isBinary)),
  )
  socket.on('error', () => undefined)
  socket.on('close', (code, reason) => {
    note(double, connection, 'close', `${code} ${String(reason)}`.trim())
    finish(double, connection, 'failed', { byClient: true })
  })
  if (double.responses.greeting !== null) send(double, connection, double.responses.greeting)
  if (!double.isByMessage) decide(double, connection)
}

/** A client may send its new token on the socket on which the old one was refused. */
function beginAgain(double: Double, connection: Connection) {
  const { url, headers, declaredUser } = connection.attempt
  endAttempt(double.context, connection.attempt, 'refused', connection.events, false)
  connection.attempt = beginAttempt(double.context, { url, headers, credential: null, declaredUser })
  connection.events = []
  connection.reaction = 'undecided'
  connection.isRefused = false
  double.attempts.push(connection.attempt)
}

function receive(double: Double, connection: Connection, text: string, isOfKind: boolean) {
  if (!double.context.keep(text.length)) return cut(double, connection, 'dropped')
  const renewal = connection.isRefused ? readRenewal(double, text) : null
  if (renewal !== null && renewal.jwt !== connection.attempt.credential) beginAgain(double, connection)
  connection.attempt.sent.push(text)
  note(double, connection, 'sent', double.codec.toRecord(text))
  // The service reads frames of the other kind as no message of its protocol.
  if (!isOfKind) return
  // A declaration in a separate message comes after the credential, which may have been accepted by then.
  if (connection.attempt.outcome !== null) {
    connection.attempt.declaredUser ??=
      readDeclaringMessage(double.profile.declaredUser, text, double.codec)?.userId ?? null
    return double.context.changeSignal.notify()
  }
  readCredential(connection, renewal ?? parseCredential(double, text))
  if ((double.isByMessage || renewal !== null) && connection.attempt.credential !== null)
    decideOnMessage(double, connection).catch(() => connection.stream.destroy())
}

/** The credential of a message that renews it on an open socket. */
function readRenewal({ profile, codec }: Double, text: string): Credential | null {
  const read =
    (profile.again === undefined ? null : codec.read(profile.again, text)) ??
    carriages.readMessage(profile.carriage, text, codec)
  return read === null || read.jwt === null ? null : read
}

function parseCredential(double: Double, text: string): Credential {
  return (
    carriages.readMessage(double.profile.carriage, text, double.codec) ??
    readDeclaringMessage(double.profile.declaredUser, text, double.codec) ?? { jwt: null, userId: null }
  )
}

/** A client may ask for its token only once its socket is open. */
async function decideOnMessage(double: Double, connection: Connection) {
  if (connection.reaction === 'undecided') {
    // The next message may come before the script has answered.
    connection.reaction = 'hang'
    connection.reaction = await askScript(double, connection)
    if (connection.reaction === 'drop' || typeof connection.reaction === 'object')
      return cut(double, connection, 'dropped')
  }
  if (connection.reaction !== 'hang') decide(double, connection)
}

function decide(double: Double, connection: Connection) {
  const { attempt, reaction } = connection
  if ((reaction === 'ordinary' ? ordinary(double, attempt) : reaction) === 'accept') {
    connection.attempt.outcome = 'accepted'
    const welcome = double.responses.welcome(double.context.userOfAttempt(connection.attempt))
    if (welcome !== null) reply(double, connection, welcome)
    connection.socket?.once('pong', () => {
      connection.attempt.hasReadWelcome = true
      double.context.changeSignal.notify()
    })
    connection.socket?.ping()
    return double.context.changeSignal.notify()
  }
  connection.attempt.outcome = 'refused'
  return refuse(double, connection)
}

/** Answers the message with the credential. */
function reply(double: Double, connection: Connection, text: string) {
  const { codec, profile } = double
  const template = profile.carriage.in === 'message' ? profile.carriage.template : ''
  const asked = connection.attempt.sent.find((one) => template !== '' && codec.read(template, one) !== null)
  send(double, connection, asked === undefined ? text : codec.inReplyTo(template, asked, text))
}

function send(double: Double, connection: Connection, text: string) {
  connection.socket?.send(double.codec.toFrame(text))
  connection.progress.framesSent += 1
  note(double, connection, 'frame', double.codec.toRecord(text))
}

function refuse(double: Double, connection: Connection) {
  const { refusals, refusalFrame, closeCode } = double.responses
  double.context.changeSignal.notify()
  if (refusals.inSession === null) return cut(double, connection, 'refused')
  connection.isRefused = true
  if (refusalFrame !== null) reply(double, connection, refusalFrame)
  if (closeCode !== null) connection.socket?.close(closeCode, closeReason)
}

function refuseWith(double: Double, connection: Connection, status: number, location?: string) {
  note(double, connection, 'http', location === undefined ? String(status) : `${status} to ${location}`)
  const redirect = location === undefined ? '' : `Location: ${location}\r\n`
  connection.stream.end(
    `HTTP/1.1 ${status} Refused\r\n${redirect}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  )
  finish(double, connection, 'refused')
}

function cut(double: Double, connection: Connection, outcome: ConnectionAttempt['outcome']) {
  note(double, connection, 'error', 'connection cut')
  connection.stream.destroy()
  finish(double, connection, outcome)
}

function readCredential(connection: Connection, { jwt, userId }: Credential) {
  connection.attempt.credential ??= jwt
  connection.attempt.declaredUser ??= userId
}

function openConnections(double: Double) {
  return [...double.connections].filter(
    ({ attempt, isRefused }) => attempt.outcome === 'accepted' && !isRefused,
  )
}

/** The double was to accept it, or has, and the client has heard nothing of it yet. */
function isOwedWelcome({ attempt, reaction }: Connection): boolean {
  if (attempt.hasReadWelcome) return false
  return attempt.outcome === 'accepted' || (attempt.outcome === null && reaction === 'ordinary')
}

/** Splits an attempt into the credential, as the profile defines it, and everything else. */
function splitAttempt(
  { url, headers, sent, exchange }: ConnectionAttempt,
  profile: SignalingProfile,
): SignalingText[] {
  const codec = codecOf(profile)
  const { credential, rest } = carriages.split(profile.carriage, { url, headers, messages: sent }, codec)
  const others = [
    new URL(rest.url).href,
    ...rest.headers.map((pair) => pair.join(': ')),
    ...rest.messages.map((one) => codec.toContent(one).text),
  ]
  return [
    { isCredential: true, url, text: credential.filter((text) => text !== '').join('\n'), exchange },
    { isCredential: false, url, text: others.join('\n'), exchange },
  ]
}
