import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RecordedEvent } from '../../base/evidence/exchange.ts'
import { pairsOf } from '../../base/http/incoming.ts'
import { Untested } from '../../base/inconclusive.ts'
import { tokensIn } from '../../base/tokens/decode.ts'
import { carriages } from '../signaling/carriages/registry.ts'
import { readDeclaringMessage } from '../signaling/declared-users/registry.ts'
import { readUpgrade } from '../signaling/read-upgrade.ts'
import type { Credential } from '../signaling/template.ts'
import type { SignalingProfile } from '../signaling/types.ts'
import type { Ground } from './client-context.ts'
import type { Dial, SignalingDouble, SignalingReaction, SignalingScript } from './double-types.ts'
import type { Speech } from './signaling-responses.ts'

export interface ServingSignaling extends SignalingDouble {
  serve(url: URL, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Every dial as its line stands. */
  wires(): readonly Wire[]
  /** Cuts what is open and records it. */
  end(): void
}

/** How far the two ends of a dial can know of each other. */
export interface Wire {
  /** The `Sec-WebSocket-Key` of its upgrade. */
  readonly key: string | null
  /** Frames that the double has sent. */
  readonly framesSaid: number
  readonly isOver: boolean
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type Deciding = Exclude<SignalingReaction, 'ordinary'>

/** One dial with all that belongs to it. */
interface Line {
  readonly dial: Mutable<Omit<Dial, 'sent'>> & { readonly sent: string[] }
  readonly events: RecordedEvent[]
  readonly wire: Mutable<Wire>
  readonly stream: Duplex
  socket: WebSocket | null
  /** What was decided before the credential came. */
  reaction: SignalingReaction
}

/** A frame of refusal is followed by a close, as a service would: after this time, so that it can be read first. */
const closeAfterFrameMs = 50
const policyViolation = 1008

export function createSignalingDouble(
  ground: Ground,
  profile: SignalingProfile,
  speech: Speech,
): ServingSignaling {
  const { timeline, bell, issuing } = ground
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) =>
      carriages.chooseProtocol(profile.carriage, offered) ||
      ([...offered].find((protocol) => tokensIn(protocol).length === 0) ?? [...offered][0] ?? false),
  })
  const lines = new Set<Line>()
  const dials: Dial[] = []
  const wires: Wire[] = []
  const isByMessage = carriages.cueOf(profile.carriage) !== null
  let script: SignalingScript | null = null

  const note = (line: Line, type: RecordedEvent['type'], text: string) => {
    line.events.push({ at: timeline.now(), type, text })
    bell.ring()
  }
  const finish = (line: Line, outcome: Dial['outcome']) => {
    if (!lines.delete(line)) return
    line.dial.outcome ??= outcome
    line.dial.closedAt = timeline.now()
    line.wire.isOver = true
    // The client has something to react to.
    ground.touch()
    timeline.socket(line.dial.exchange, {
      to: 'signaling-double',
      ...line.dial,
      events: line.events,
      verdict: line.dial.outcome ?? 'left open',
    })
    bell.ring()
  }

  const ordinary = (dial: Dial): 'accept' | 'refuse' => {
    const token = dial.credential === null ? undefined : issuing.find(dial.credential)
    return token !== undefined && !issuing.isExpired(token) ? 'accept' : 'refuse'
  }

  /** Before the upgrade: what needs no socket happens here. */
  const begin = (line: Line, request: IncomingMessage, head: Buffer, reaction: SignalingReaction) => {
    if (reaction === 'hang') return note(line, 'timeout', 'left without an answer')
    if (reaction === 'drop') return cut(line, 'dropped')
    if (typeof reaction === 'object') return refuseWith(line, reaction.http)
    line.reaction = reaction
    if (!isByMessage) {
      const decided = reaction === 'ordinary' ? ordinary(line.dial) : reaction
      line.reaction = decided
      if (decided === 'refuse' && speech.refusals.atConnect === 'http') {
        line.dial.outcome = 'refused'
        return refuseWith(line, speech.status)
      }
    }
    return sockets.handleUpgrade(request, line.stream, head, (socket) => open(line, socket))
  }

  const open = (line: Line, socket: WebSocket) => {
    line.socket = socket
    note(line, 'open', '')
    socket.on('message', (data) => hear(line, String(data)))
    socket.on('error', () => undefined)
    socket.on('close', (code, reason) => {
      note(line, 'close', `${code} ${String(reason)}`.trim())
      finish(line, 'failed')
    })
    if (speech.greeting !== null) say(line, speech.greeting)
    if (!isByMessage) conclude(line, line.reaction === 'ordinary' ? ordinary(line.dial) : line.reaction)
  }

  const hear = (line: Line, text: string) => {
    line.dial.sent.push(text)
    note(line, 'sent', text)
    if (line.dial.outcome !== null) return
    take(line, presentedBy(text))
    if (isByMessage && line.dial.credential !== null)
      conclude(line, line.reaction === 'ordinary' ? ordinary(line.dial) : line.reaction)
  }

  const presentedBy = (text: string): Credential =>
    carriages.readMessage(profile.carriage, text) ??
    readDeclaringMessage(profile.declaredUser, text) ?? { jwt: null, userId: null }

  const conclude = (line: Line, reaction: Deciding) => {
    if (reaction === 'accept') {
      line.dial.outcome = 'accepted'
      const welcome = speech.welcome(ground.userOfDial(line.dial))
      if (welcome !== null) say(line, welcome)
      return bell.ring()
    }
    line.dial.outcome = 'refused'
    return refuse(line)
  }

  const say = (line: Line, text: string) => {
    line.socket?.send(text)
    line.wire.framesSaid += 1
    note(line, 'frame', text)
  }
  const refuse = (line: Line) => {
    bell.ring()
    if (speech.refusals.inSession === 'close') line.socket?.close(speech.closeCode)
    else if (speech.refusals.inSession === 'frame') {
      say(line, speech.refusalFrame)
      setTimeout(() => line.socket?.close(policyViolation), closeAfterFrameMs)
    } else cut(line, 'refused')
  }
  const refuseWith = (line: Line, status: number) => {
    note(line, 'http', String(status))
    line.stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    finish(line, 'refused')
  }
  const cut = (line: Line, outcome: Dial['outcome']) => {
    note(line, 'error', 'connection cut')
    line.stream.destroy()
    finish(line, outcome)
  }
  const take = (line: Line, { jwt, userId }: Credential) => {
    line.dial.credential ??= jwt
    line.dial.declaredUser ??= userId
  }
  const openLines = () => [...lines].filter(({ dial }) => dial.outcome === 'accepted')

  return {
    refusals: speech.refusals,
    dials: () => dials,
    wires: () => wires,
    answer(next) {
      script = next
    },
    refuseOpen() {
      if (speech.refusals.inSession === null)
        throw new Untested(
          'signaling.profile names no close code and no frame that says 401, so an open socket cannot be refused',
        )
      for (const line of openLines()) refuse(line)
    },
    dropOpen() {
      for (const line of openLines()) cut(line, 'dropped')
    },
    async serve(url, request, stream, head) {
      const line: Line = {
        dial: {
          at: timeline.now(),
          clientAt: ground.clientNow(),
          url: url.href,
          headers: pairsOf(request.rawHeaders),
          credential: null,
          declaredUser: null,
          sent: [],
          outcome: null,
          closedAt: null,
          exchange: timeline.begin(),
        },
        events: [],
        wire: { key: request.headers['sec-websocket-key'] ?? null, framesSaid: 0, isOver: false },
        stream,
        socket: null,
        reaction: 'ordinary',
      }
      take(line, readUpgrade(request, profile))
      lines.add(line)
      dials.push(line.dial)
      wires.push(line.wire)
      stream.once('close', () => finish(line, 'failed'))
      bell.ring()
      begin(line, request, head, script === null ? 'ordinary' : await script(line.dial))
    },
    end() {
      for (const line of [...lines]) {
        line.socket?.terminate()
        finish(line, null)
        line.stream.destroy()
      }
      sockets.close()
    },
  }
}
