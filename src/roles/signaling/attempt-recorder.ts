import type { Clock } from '../../base/clock.ts'
import type { Journal, RecordedEvent } from '../../base/evidence/exchange.ts'
import type { Redactor } from '../../base/evidence/redact.ts'
import { redactHeaders } from '../../base/evidence/redact-headers.ts'
import { faultOfCloseCode, faultOfStatus } from '../../base/evidence/transport-fault.ts'
import type { SignalingEvent } from './event-log.ts'
import type { JoinRequest } from './join-request.ts'

export interface RecorderOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  readonly runStart: number
}

export interface RecordedAttempt {
  readonly join: Pick<JoinRequest, 'url' | 'headers' | 'protocols'>
  readonly startedAt: number
  readonly events: readonly SignalingEvent[]
  readonly verdict: string
}

const recordedCharacters = 4096
/** Of a flood of events the first and the last are recorded. */
const recordedFirst = 80
const recordedLast = 20

/** Records an attempt as one exchange, without its secrets, and returns the exchange's id. */
export function createRecorder(options: RecorderOptions): (attempt: RecordedAttempt) => string {
  const { journal, redactor, clock, runStart } = options
  const since = (instant: number) => Math.round(instant - runStart)
  const clean = (text: string) => redactor.received(text, recordedCharacters)
  const toRecord = ({ at, type, text, code }: SignalingEvent): RecordedEvent => ({
    at: since(at),
    type,
    text: clean(type === 'close' ? `${code ?? ''} ${text}`.trim() : text),
  })

  return ({ join, startedAt, events, verdict }) => {
    const protocols = join.protocols.join(', ')
    const headers =
      protocols === '' ? join.headers : [...join.headers, ['Sec-WebSocket-Protocol', protocols] as const]
    return journal.record({
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
      verdict: redactor.text(verdict),
      ...faultOf(events.at(-1), redactor),
    })
  }
}

function faultOf(last: SignalingEvent | undefined, redactor: Redactor): { readonly fault?: string } {
  const fault = last === undefined ? null : faultOfEnd(last)
  return fault === null ? {} : { fault: redactor.text(fault) }
}

function faultOfEnd({ type, code = 0, text }: SignalingEvent): string | null {
  if (type === 'error' || type === 'timeout') return text
  if (type === 'http') return faultOfStatus(code)
  return type === 'close' ? faultOfCloseCode(code) : null
}

function selectRecorded(events: readonly SignalingEvent[]): readonly SignalingEvent[] {
  if (events.length <= recordedFirst + recordedLast) return events
  return [...events.slice(0, recordedFirst), ...events.slice(-recordedLast)]
}
