import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RecordedEvent } from '../../base/evidence/exchange.ts'
import { pairsOf } from '../../base/http/incoming.ts'
import { Untested } from '../../base/inconclusive.ts'
import { tokensIn } from '../../base/tokens/decode.ts'
import { carriages } from '../signaling/carriages/registry.ts'
import { readDeclaringMessage } from '../signaling/declared-users/registry.ts'
import { codecOf } from '../signaling/message-codec.ts'
import { readUpgrade } from '../signaling/read-upgrade.ts'
import type { Credential } from '../signaling/template.ts'
import type { SignalingProfile } from '../signaling/types.ts'
import type { DoubleContext } from './double-context.ts'
import type { ConnectionProgress, ServingSignaling, SignalingText } from './serving-signaling.ts'
import type { SignalingResponses } from './signaling-responses.ts'
import type { ConnectionAttempt, SignalingReaction, SignalingScript } from './types.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** One connection attempt with its socket and its record. */
interface Connection {
  readonly attempt: Mutable<Omit<ConnectionAttempt, 'sent'>> & { readonly sent: string[] }
  readonly events: RecordedEvent[]
  readonly progress: Mutable<ConnectionProgress>
  readonly stream: Duplex
  socket: WebSocket | null
  /** Decision that was made before the credential came. */
  reaction: SignalingReaction | 'undecided'
}

/** A frame of refusal is followed by a close, as a service would: after this time, so that it can be read first. */
const closeAfterFrameMs = 50
const policyViolation = 1008
const longestFrame = 16 * 1_048_576
/** Where a client that is told its address connects. */
export const doublePath = '/signaling'

export function createSignalingDouble(
  context: DoubleContext,
  profile: SignalingProfile,
  responses: SignalingResponses,
): ServingSignaling {
  const { recorder, changeSignal, tokenIssuer } = context
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestFrame,
    handleProtocols: (offered) =>
      carriages.chooseProtocol(profile.carriage, offered) ||
      ([...offered].find((protocol) => tokensIn(protocol).length === 0) ?? [...offered][0] ?? false),
  })
  const codec = codecOf(profile)
  const connections = new Set<Connection>()
  const attempts: ConnectionAttempt[] = []
  const progress: ConnectionProgress[] = []
  const isByMessage = carriages.cueOf(profile.carriage) !== null
  let script: SignalingScript | null = null

  const note = (connection: Connection, type: RecordedEvent['type'], text: string) => {
    connection.events.push({ at: recorder.now(), type, text })
    changeSignal.notify()
  }
  const finish = (
    connection: Connection,
    outcome: ConnectionAttempt['outcome'],
    { byClient = false } = {},
  ) => {
    if (!connections.delete(connection)) return
    const isFault = byClient && isOwedWelcome(connection)
    connection.attempt.outcome ??= outcome
    connection.attempt.closedAt = recorder.now()
    connection.progress.isOver = true
    // The client has something to react to.
    context.noteActivity()
    recorder.recordSocket(connection.attempt.exchange, {
      to: 'signaling-double',
      ...connection.attempt,
      events: connection.events,
      verdict: connection.attempt.outcome ?? 'left open',
      ...(isFault && { fault: 'did not welcome the client before it gave up' }),
    })
    changeSignal.notify()
  }

  const ordinary = (attempt: ConnectionAttempt): 'accept' | 'refuse' => {
    const token = attempt.credential === null ? undefined : tokenIssuer.find(attempt.credential)
    return token !== undefined && !tokenIssuer.isExpired(token) ? 'accept' : 'refuse'
  }

  /** Before the upgrade: what needs no socket happens here. */
  const begin = (
    connection: Connection,
    request: IncomingMessage,
    head: Buffer,
    reaction: SignalingReaction,
  ) => {
    connection.reaction = reaction
    if (reaction === 'hang') {
      // A stream that is not read does not show that the other end has left.
      connection.stream.once('end', () => connection.stream.destroy()).resume()
      return note(connection, 'timeout', 'left without a response')
    }
    if (reaction === 'drop') return cut(connection, 'dropped')
    if (typeof reaction === 'object') return refuseWith(connection, reaction.http, reaction.location)
    if (!isByMessage) {
      const decided = reaction === 'ordinary' ? ordinary(connection.attempt) : reaction
      connection.reaction = decided
      if (decided === 'refuse' && responses.refusals.atConnect === 'http') {
        connection.attempt.outcome = 'refused'
        return refuseWith(connection, responses.status)
      }
    }
    return sockets.handleUpgrade(request, connection.stream, head, (socket) => open(connection, socket))
  }

  const open = (connection: Connection, socket: WebSocket) => {
    connection.socket = socket
    note(connection, 'open', '')
    socket.on('message', (data, isBinary) =>
      receive(connection, codec.fromFrame(data), codec.isOfKind(isBinary)),
    )
    socket.on('error', () => undefined)
    socket.on('close', (code, reason) => {
      note(connection, 'close', `${code} ${String(reason)}`.trim())
      finish(connection, 'failed', { byClient: true })
    })
    if (responses.greeting !== null) send(connection, responses.greeting)
    if (!isByMessage) decide(connection)
  }

  const receive = (connection: Connection, text: string, isOfKind: boolean) => {
    if (!context.keep(text.length)) return cut(connection, 'dropped')
    connection.attempt.sent.push(text)
    note(connection, 'sent', text)
    // The service reads frames of the other kind as no message of its protocol.
    if (!isOfKind) return
    // A declaration in a message of its own comes after the credential, which may have been accepted by then.
    if (connection.attempt.outcome !== null) {
      connection.attempt.declaredUser ??=
        readDeclaringMessage(profile.declaredUser, text, codec)?.userId ?? null
      return changeSignal.notify()
    }
    readCredential(connection, parseCredential(text))
    if (isByMessage && connection.attempt.credential !== null) decide(connection)
  }

  const parseCredential = (text: string): Credential =>
    carriages.readMessage(profile.carriage, text, codec) ??
    readDeclaringMessage(profile.declaredUser, text, codec) ?? { jwt: null, userId: null }

  const decide = (connection: Connection) => {
    const { attempt, reaction } = connection
    if ((reaction === 'ordinary' ? ordinary(attempt) : reaction) === 'accept') {
      connection.attempt.outcome = 'accepted'
      const welcome = responses.welcome(context.userOfAttempt(connection.attempt))
      if (welcome !== null) send(connection, welcome)
      connection.socket?.once('pong', () => {
        connection.attempt.hasReadWelcome = true
        changeSignal.notify()
      })
      connection.socket?.ping()
      return changeSignal.notify()
    }
    connection.attempt.outcome = 'refused'
    return refuse(connection)
  }

  const send = (connection: Connection, text: string) => {
    connection.socket?.send(codec.toFrame(text))
    connection.progress.framesSent += 1
    note(connection, 'frame', text)
  }
  const refuse = (connection: Connection) => {
    changeSignal.notify()
    if (responses.refusals.inSession === 'close') connection.socket?.close(responses.closeCode)
    else if (responses.refusals.inSession === 'frame') {
      send(connection, responses.refusalFrame)
      setTimeout(() => connection.socket?.close(policyViolation), closeAfterFrameMs)
    } else cut(connection, 'refused')
  }
  const refuseWith = (connection: Connection, status: number, location?: string) => {
    note(connection, 'http', location === undefined ? String(status) : `${status} to ${location}`)
    const redirect = location === undefined ? '' : `Location: ${location}\r\n`
    connection.stream.end(
      `HTTP/1.1 ${status} Refused\r\n${redirect}Connection: close\r\nContent-Length: 0\r\n\r\n`,
    )
    finish(connection, 'refused')
  }
  const cut = (connection: Connection, outcome: ConnectionAttempt['outcome']) => {
    note(connection, 'error', 'connection cut')
    connection.stream.destroy()
    finish(connection, outcome)
  }
  const readCredential = (connection: Connection, { jwt, userId }: Credential) => {
    connection.attempt.credential ??= jwt
    connection.attempt.declaredUser ??= userId
  }
  const openConnections = () => [...connections].filter(({ attempt }) => attempt.outcome === 'accepted')

  return {
    refusals: responses.refusals,
    path: doublePath,
    request: null,
    attempts: () => attempts,
    connections: () => progress,
    texts: () => attempts.flatMap((attempt) => splitAttempt(attempt, profile)),
    answer(next) {
      script = next
    },
    refuseOpen() {
      if (responses.refusals.inSession === null)
        throw new Untested(
          'signaling.profile has no close code and no frame that means 401, so an open socket cannot be rejected',
        )
      for (const connection of openConnections()) refuse(connection)
    },
    dropOpen() {
      for (const connection of openConnections()) cut(connection, 'dropped')
    },
    async serve(url, request, stream, head) {
      const connection: Connection = {
        attempt: {
          at: recorder.now(),
          clientAt: context.clientNow(),
          url: url.href,
          headers: pairsOf(request.rawHeaders),
          credential: null,
          declaredUser: null,
          sent: [],
          outcome: null,
          hasReadWelcome: false,
          closedAt: null,
          exchange: recorder.begin(),
        },
        events: [],
        progress: { key: request.headers['sec-websocket-key'] ?? null, framesSent: 0, isOver: false },
        stream,
        socket: null,
        reaction: 'undecided',
      }
      readCredential(connection, readUpgrade(request, profile))
      connections.add(connection)
      attempts.push(connection.attempt)
      progress.push(connection.progress)
      stream.once('close', () => finish(connection, 'failed', { byClient: true }))
      changeSignal.notify()
      begin(connection, request, head, script === null ? 'ordinary' : await script(connection.attempt))
    },
    end() {
      for (const connection of [...connections]) {
        connection.socket?.terminate()
        finish(connection, null)
        connection.stream.destroy()
      }
      sockets.close()
    },
  }
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
