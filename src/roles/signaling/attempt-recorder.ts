import type { Clock } from '../../base/clock.ts'
import {
  beginningOf,
  type ExchangeOrigin,
  type Journal,
  type RecordedEvent,
  type ShownToken,
  type TokenParts,
  type WebSocketExchange,
} from '../../base/evidence/exchange.ts'
import { hideValues } from '../../base/evidence/hide-values.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import { readParts } from '../../base/tokens/decode.ts'
import { jsonPaths } from '../../base/tokens/json-paths.ts'
import { noteReading } from '../../base/watchdog.ts'
import type { AttemptRequest } from './attempt.ts'
import { faultOfEvent, type SignalingEvent, unavailableByEvent } from './event-log.ts'
import type { JoinRequest } from './join-request.ts'
import { readBytes } from './message-codec.ts'

export interface RecorderOptions {
  readonly journal: Journal
  readonly secrets: Secrets
  readonly clock: Clock
}

export interface RecordedAttempt {
  /** The id of the exchange, where it was reserved. */
  readonly id?: string
  readonly join: Pick<JoinRequest, 'url' | 'headers' | 'protocols'>
  /** Request for the attempt; a forged token in it is shown decoded. */
  readonly asked: Pick<AttemptRequest, 'case' | 'token'>
  readonly startedAt: number
  readonly events: readonly SignalingEvent[]
  readonly verdict: string
  /** The service decided against the client. */
  readonly isRejection?: boolean
}

const recordedCharacters = 4096
/** Length that is shown of a text in a decoded token. */
const shownCharacters = 256
/** Numbers of the first and last events that are recorded of a flood. */
const recordedFirst = 80
const recordedLast = 20

/** Records an attempt as one exchange, and returns the exchange's id. */
export function createRecorder(options: RecorderOptions): (attempt: RecordedAttempt) => string {
  const { journal, secrets } = options
  const decodeForged = createForgedDecoder()
  const toRecord = ({ at, type, text, base64, code }: SignalingEvent): RecordedEvent => {
    const read = base64 === undefined ? text : readBytes(base64)
    const shown = type === 'close' ? `${code ?? ''} ${text}`.trim() : read
    return { at: journal.since(at), type, text: beginningOf(shown, recordedCharacters) }
  }

  return ({ id: reserved, join, asked, startedAt, events, verdict, isRejection = false }) => {
    noteReading(`${events.length} events of signaling`)
    const protocols = join.protocols.join(', ')
    const headers =
      protocols === '' ? join.headers : [...join.headers, ['Sec-WebSocket-Protocol', protocols] as const]
    const exchange = {
      kind: 'websocket',
      from: 'suite',
      to: 'signaling',
      ...journal.timesFrom(startedAt),
      request: { url: join.url, headers },
      events: selectRecorded(events).map(toRecord),
      verdict,
      ...originOf(asked, secrets, decodeForged),
      ...faultOf(events.at(-1)),
    } as const
    const id = reserved === undefined ? journal.record(exchange) : journal.record(exchange, reserved)
    if (isRejection) journal.noteRejection(id)
    return id
  }
}

function faultOf(last: SignalingEvent | undefined): Pick<WebSocketExchange, 'fault' | 'unavailable'> {
  if (last === undefined) return {}
  const [fault, unavailable] = [faultOfEvent(last), unavailableByEvent(last)]
  return fault === null ? { unavailable } : { fault, unavailable }
}

function originOf(
  { case: of, token }: Pick<AttemptRequest, 'case' | 'token'>,
  secrets: Secrets,
  decodeForged: DecodeForged,
): ExchangeOrigin {
  if (of === undefined) return {}
  if (token === null || secrets.kindOf(token) === 'calling-jwt') return { case: of }
  const read = decodeForged(token, secrets.known('calling-jwt'))
  if (read === null) return { case: of }
  return { case: of, token: hideValues(read, (text) => beginningOf(text, shownCharacters)) }
}

function selectRecorded(events: readonly SignalingEvent[]): readonly SignalingEvent[] {
  if (events.length <= recordedFirst + recordedLast) return events
  return [...events.slice(0, recordedFirst), ...events.slice(-recordedLast)]
}

/** Shows a forged token beside the genuine one with most in common. It may state secrets. */
type DecodeForged = (token: string, genuine: readonly string[]) => ShownToken | null

interface Decoded {
  readonly parts: TokenParts
  readonly leaves: ReadonlySet<string>
}

export function createForgedDecoder(): DecodeForged {
  const known = new Map<string, Decoded | null>()
  const decode = (token: string): Decoded | null => {
    const before = known.get(token)
    if (before !== undefined) return before
    const parts = readParts(token)
    const decoded = parts === null ? null : { parts, leaves: leavesOf(parts) }
    known.set(token, decoded)
    return decoded
  }
  return (token, genuine) => {
    const parts = readParts(token)
    if (parts === null) return null
    const own = [...leavesOf(parts)]
    let nearest: { readonly parts: TokenParts; readonly common: number } | null = null
    for (const one of genuine) {
      const decoded = decode(one)
      if (decoded === null) continue
      const common = own.filter((leaf) => decoded.leaves.has(leaf)).length
      if (common > (nearest?.common ?? 0)) nearest = { parts: decoded.parts, common }
    }
    return nearest === null ? parts : { ...parts, genuine: nearest.parts }
  }
}

function leavesOf(parts: TokenParts): Set<string> {
  return new Set(jsonPaths(parts).map(({ path, value }) => `${path}=${JSON.stringify(value)}`))
}
