import type { Clock } from '../../base/clock.ts'
import type {
  ExchangeOrigin,
  Journal,
  RecordedEvent,
  WebSocketExchange,
} from '../../base/evidence/exchange.ts'
import type { Redactor } from '../../base/evidence/redact.ts'
import { redactHeaders } from '../../base/evidence/redact-headers.ts'
import { redactValues } from '../../base/evidence/redact-values.ts'
import { noteReading } from '../../base/watchdog.ts'
import type { AttemptRequest } from './attempt.ts'
import { createForgedDecoder, type DecodeForged } from './decode-forged.ts'
import type { SignalingEvent } from './event-log.ts'
import { faultOfEvent, unavailableByEvent } from './fault-of-event.ts'
import type { JoinRequest } from './join-request.ts'

export interface RecorderOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  readonly runStart: number
}

export interface RecordedAttempt {
  /** The id of the exchange, where it was reserved. */
  readonly id?: string
  readonly join: Pick<JoinRequest, 'url' | 'headers' | 'protocols'>
  /** Request for the attempt; a forged token in it is shown decoded. */
  readonly asked?: Pick<AttemptRequest, 'case' | 'token'>
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

/** Records an attempt as one exchange, without its secrets, and returns the exchange's id. */
export function createRecorder(options: RecorderOptions): (attempt: RecordedAttempt) => string {
  const { journal, redactor, clock, runStart } = options
  const decodeForged = createForgedDecoder()
  const since = (instant: number) => Math.round(instant - runStart)
  const clean = (text: string) => redactor.received(text, recordedCharacters)
  const toRecord = ({ at, type, text, base64 = text, code }: SignalingEvent): RecordedEvent => ({
    at: since(at),
    type,
    text: clean(type === 'close' ? `${code ?? ''} ${text}`.trim() : base64),
  })

  return ({ id: reserved, join, asked, startedAt, events, verdict, isRejection = false }) => {
    noteReading(`${events.length} events of signaling`)
    const protocols = join.protocols.join(', ')
    const headers =
      protocols === '' ? join.headers : [...join.headers, ['Sec-WebSocket-Protocol', protocols] as const]
    const exchange = {
      kind: 'websocket',
      from: 'suite',
      to: 'signaling',
      at: since(startedAt),
      durationMs: Math.round(clock.monotonic() - startedAt),
      request: {
        url: redactor.received(join.url),
        headers: redactHeaders(headers, redactor),
      },
      events: selectRecorded(events).map(toRecord),
      verdict: redactor.printed(verdict),
      ...originOf(asked ?? { token: null }, redactor, decodeForged),
      ...faultOf(events.at(-1), redactor),
    } as const
    const id = reserved === undefined ? journal.record(exchange) : journal.record(exchange, reserved)
    if (isRejection) journal.noteRejection(id)
    return id
  }
}

function faultOf(
  last: SignalingEvent | undefined,
  redactor: Redactor,
): Pick<WebSocketExchange, 'fault' | 'unavailable'> {
  if (last === undefined) return {}
  const [fault, unavailable] = [faultOfEvent(last), unavailableByEvent(last)]
  return fault === null ? { unavailable } : { fault: redactor.printed(fault), unavailable }
}

function originOf(
  { case: of, token }: Pick<AttemptRequest, 'case' | 'token'>,
  redactor: Redactor,
  decodeForged: DecodeForged,
): ExchangeOrigin {
  if (of === undefined) return {}
  const named = { case: redactor.printed(of) }
  if (token === null || redactor.kindOf(token) === 'calling-jwt') return named
  const read = decodeForged(token, redactor.known('calling-jwt'))
  if (read === null) return named
  const clean = (text: string) => redactor.received(text, shownCharacters)
  return { ...named, token: redactValues(read, { value: clean, name: redactor.printed }) }
}

function selectRecorded(events: readonly SignalingEvent[]): readonly SignalingEvent[] {
  if (events.length <= recordedFirst + recordedLast) return events
  return [...events.slice(0, recordedFirst), ...events.slice(-recordedLast)]
}
