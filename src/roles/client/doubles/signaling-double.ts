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

  const openConnections = () => [...double.connections].filter((one) => one.isOpen())
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
      for (const connection of openConnections()) connection.refuse()
    },
    dropOpen() {
      for (const connection of openConnections()) connection.cut('dropped')
    },
    serve: async (url, request, stream, head) =>
      await new Connection(double, url, request, stream).serve(request, head),
    end() {
      for (const connection of [...double.connections]) connection.end()
      sockets.close()
    },
  }
}

/** A connection with its attempt; a client that stays on a socket on which it was refused begins another one there. */
class Connection {
  readonly #double: Double
  readonly #stream: Duplex
  readonly #progress: Mutable<ConnectionProgress>
  #attempt: ReturnType<typeof beginAttempt>
  /** Since this attempt began. */
  #events: RecordedEvent[] = []
  #socket: WebSocket | null = null
  /** A decision may be made before the credential comes. */
  #reaction: SignalingReaction | 'undecided' = 'undecided'
  /** The double has said 401, and left the socket open. */
  #isRefused = false

  constructor(double: Double, { href: url }: URL, request: IncomingMessage, stream: Duplex) {
    const { jwt: credential, userId: declaredUser } = readUpgrade(request, double.profile)
    const headers = pairsOf(request.rawHeaders)
    this.#double = double
    this.#stream = stream
    this.#attempt = beginAttempt(double.context, { url, headers, credential, declaredUser })
    this.#progress = { key: request.headers['sec-websocket-key'] ?? null, framesSent: 0, isOver: false }
    double.connections.add(this)
    double.attempts.push(this.#attempt)
    double.progress.push(this.#progress)
    stream.once('close', () => this.#finish('failed', { byClient: true }))
    this.#notify()
  }

  isOpen(): boolean {
    return this.#attempt.outcome === 'accepted' && !this.#isRefused
  }

  /** Answers the upgrade, as the script says or as the service would. */
  async serve(request: IncomingMessage, head: Buffer): Promise<void> {
    const { isByMessage, isAskedAtUpgrade } = this.#double
    if (!isByMessage || isAskedAtUpgrade) this.#reaction = await this.#askScript()
    this.#begin(request, head)
  }

  refuse() {
    const { refusals, refusalFrame, closeCode } = this.#double.responses
    this.#notify()
    if (refusals.inSession === null) return this.cut('refused')
    this.#isRefused = true
    if (refusalFrame !== null) this.#reply(refusalFrame)
    if (closeCode !== null) this.#socket?.close(closeCode, closeReason)
  }

  cut(outcome: ConnectionAttempt['outcome']): void {
    this.#note('error', 'connection cut')
    this.#stream.destroy()
    this.#finish(outcome)
  }

  end(): void {
    this.#socket?.terminate()
    this.#finish(null)
    this.#stream.destroy()
  }

  async #askScript(): Promise<SignalingReaction> {
    const { script } = this.#double
    return script === null ? 'ordinary' : await script(this.#attempt)
  }

  #notify(): void {
    this.#double.context.changeSignal.notify()
  }

  #note(type: RecordedEvent['type'], text: string): void {
    this.#events.push({ at: this.#double.context.recorder.now(), type, text })
    this.#notify()
  }

  #finish(outcome: ConnectionAttempt['outcome'], { byClient = false } = {}): void {
    if (!this.#double.connections.delete(this)) return
    this.#progress.isOver = true
    endAttempt(this.#double.context, this.#attempt, outcome, this.#events, byClient && this.#isOwedWelcome())
  }

  /** The double was to accept it, or has, and the client has heard nothing of it yet. */
  #isOwedWelcome(): boolean {
    const { hasReadWelcome, outcome } = this.#attempt
    if (hasReadWelcome) return false
    return outcome === 'accepted' || (outcome === null && this.#reaction === 'ordinary')
  }

  #ordinary(): 'accept' | 'refuse' {
    return isValid(this.#double.context, this.#attempt.credential) ? 'accept' : 'refuse'
  }

  /** Before the upgrade: what needs no socket happens here. */
  #begin(request: IncomingMessage, head: Buffer) {
    const { isByMessage, responses, sockets } = this.#double
    const reaction = this.#reaction
    if (reaction === 'hang') {
      // A stream that is not read does not show that the other end has left.
      this.#stream.once('end', () => this.#stream.destroy()).resume()
      return this.#note('timeout', 'left without a response')
    }
    if (reaction === 'drop') return this.cut('dropped')
    if (typeof reaction === 'object') return this.#refuseWith(reaction.http, reaction.location)
    if (!isByMessage) {
      this.#reaction = reaction === 'ordinary' ? this.#ordinary() : reaction
      if (this.#reaction === 'refuse' && responses.refusals.atConnect === 'http') {
        this.#attempt.outcome = 'refused'
        return this.#refuseWith(responses.status)
      }
    }
    return sockets.handleUpgrade(request, this.#stream, head, (socket) => this.#open(socket))
  }

  #open(socket: WebSocket): void {
    const { codec, responses, isByMessage } = this.#double
    this.#socket = socket
    this.#note('open', '')
    socket.on('message', (data, isBinary) => this.#receive(codec.fromFrame(data), codec.isOfKind(isBinary)))
    socket.on('error', () => undefined)
    socket.on('close', (code, reason) => {
      this.#note('close', `${code} ${String(reason)}`.trim())
      this.#finish('failed', { byClient: true })
    })
    if (responses.greeting !== null) this.#send(responses.greeting)
    if (!isByMessage) this.#decide()
  }

  /** A client may send its new token on the socket on which the old one was refused. */
  #beginAgain(): void {
    const { context, attempts } = this.#double
    const { url, headers, declaredUser } = this.#attempt
    endAttempt(context, this.#attempt, 'refused', this.#events, false)
    this.#attempt = beginAttempt(context, { url, headers, credential: null, declaredUser })
    this.#events = []
    this.#reaction = 'undecided'
    this.#isRefused = false
    attempts.push(this.#attempt)
  }

  #receive(text: string, isOfKind: boolean) {
    const { context, codec, profile, isByMessage } = this.#double
    if (!context.keep(text.length)) return this.cut('dropped')
    const renewal = this.#isRefused ? readRenewal(this.#double, text) : null
    if (renewal !== null && renewal.jwt !== this.#attempt.credential) this.#beginAgain()
    const attempt = this.#attempt
    attempt.sent.push(text)
    this.#note('sent', codec.toRecord(text))
    // The service reads frames of the other kind as no message of its protocol.
    if (!isOfKind) return
    // A declaration in a separate message comes after the credential, which may have been accepted by then.
    if (attempt.outcome !== null) {
      attempt.declaredUser ??= readDeclaringMessage(profile.declaredUser, text, codec)?.userId ?? null
      return this.#notify()
    }
    const { jwt, userId } = renewal ?? parseCredential(this.#double, text)
    attempt.credential ??= jwt
    attempt.declaredUser ??= userId
    if ((isByMessage || renewal !== null) && attempt.credential !== null)
      this.#decideOnMessage().catch(() => this.#stream.destroy())
  }

  /** A client may ask for its token only once its socket is open. */
  async #decideOnMessage(): Promise<void> {
    if (this.#reaction === 'undecided') {
      // The next message may come before the script has answered.
      this.#reaction = 'hang'
      this.#reaction = await this.#askScript()
      if (this.#reaction === 'drop' || typeof this.#reaction === 'object') return this.cut('dropped')
    }
    if (this.#reaction !== 'hang') this.#decide()
  }

  #decide() {
    const { context, responses } = this.#double
    const attempt = this.#attempt
    if ((this.#reaction === 'ordinary' ? this.#ordinary() : this.#reaction) !== 'accept') {
      attempt.outcome = 'refused'
      return this.refuse()
    }
    attempt.outcome = 'accepted'
    const welcome = responses.welcome(context.userOfAttempt(attempt))
    if (welcome !== null) this.#reply(welcome)
    this.#socket?.once('pong', () => {
      this.#attempt.hasReadWelcome = true
      this.#notify()
    })
    this.#socket?.ping()
    return this.#notify()
  }

  /** Answers the message with the credential. */
  #reply(text: string): void {
    const { codec, profile } = this.#double
    const template = profile.carriage.in === 'message' ? profile.carriage.template : ''
    const asked = this.#attempt.sent.find((one) => template !== '' && codec.read(template, one) !== null)
    this.#send(asked === undefined ? text : codec.inReplyTo(template, asked, text))
  }

  #send(text: string): void {
    const { codec } = this.#double
    this.#socket?.send(codec.toFrame(text))
    this.#progress.framesSent += 1
    this.#note('frame', codec.toRecord(text))
  }

  #refuseWith(status: number, location?: string): void {
    this.#note('http', location === undefined ? String(status) : `${status} to ${location}`)
    const redirect = location === undefined ? '' : `Location: ${location}\r\n`
    this.#stream.end(
      `HTTP/1.1 ${status} Refused\r\n${redirect}Connection: close\r\nContent-Length: 0\r\n\r\n`,
    )
    this.#finish('refused')
  }
}

/** The credential of a message that renews it on an open socket. */
function readRenewal({ profile, codec }: Double, text: string): Credential | null {
  const read =
    (profile.again === undefined ? null : codec.read(profile.again, text)) ??
    carriages.readMessage(profile.carriage, text, codec)
  return read === null || read.jwt === null ? null : read
}

function parseCredential({ profile, codec }: Double, text: string): Credential {
  return (
    carriages.readMessage(profile.carriage, text, codec) ??
    readDeclaringMessage(profile.declaredUser, text, codec) ?? { jwt: null, userId: null }
  )
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
