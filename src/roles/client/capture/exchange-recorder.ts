import type { Clock } from '../../../base/clock.ts'
import {
  beginningOf,
  type Journal,
  type Party,
  type RecordedEvent,
  type RecordedMessage,
} from '../../../base/evidence/exchange.ts'

/** Records the events between a client and its doubles, in the suite's time. */
export interface ExchangeRecorder {
  now(): number
  /** The id of something that goes on; `http` or `socket` records it when it is over. */
  begin(): string
  recordHttp(id: string, seen: SeenHttp): void
  recordSocket(id: string, seen: SeenSocket): void
}

interface SeenHttp {
  readonly to: Party
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: RecordedMessage['headers']
  readonly body: string
  readonly response?:
    | { readonly status: number; readonly headers: RecordedMessage['headers']; readonly body: string }
    | undefined
  readonly failure?: string | undefined
  readonly fault?: string | undefined
}

interface SeenSocket {
  readonly to: Party
  readonly at: number
  readonly url: string
  readonly headers: RecordedMessage['headers']
  readonly events: readonly RecordedEvent[]
  readonly verdict: string
  readonly fault?: string | undefined
}

export interface ExchangeRecorderOptions {
  readonly journal: Journal
  readonly clock: Clock
  /** The monotonic instant that recorded times count from. */
  readonly runStart: number
}

const recordedCharacters = 4096
const recordedEvents = 60

export function createExchangeRecorder({
  journal,
  clock,
  runStart,
}: ExchangeRecorderOptions): ExchangeRecorder {
  const since = (instant: number) => Math.round(instant - runStart)
  const short = (text: string) => beginningOf(text, recordedCharacters)
  const shortHeaders = (headers: RecordedMessage['headers']) =>
    headers.map(([name, value]) => [name, short(value)] as const)
  return {
    now: clock.monotonic,
    begin: journal.reserve,
    recordHttp(id, { to, at, method, url, headers, body, response, failure, fault }) {
      journal.record(
        {
          kind: 'http',
          from: 'client',
          to,
          at: since(at),
          durationMs: Math.round(clock.monotonic() - at),
          request: { method, url: short(url), headers: shortHeaders(headers), body: short(body) },
          response: response && {
            status: response.status,
            statusText: '',
            headers: shortHeaders(response.headers),
            body: short(response.body),
          },
          failure,
          fault,
        },
        id,
      )
    },
    recordSocket(id, { to, at, url, headers, events, verdict, fault }) {
      journal.record(
        {
          kind: 'websocket',
          from: 'client',
          to,
          at: since(at),
          durationMs: Math.round(clock.monotonic() - at),
          request: { url: short(url), headers: shortHeaders(headers) },
          events: events
            .slice(0, recordedEvents)
            .map((event) => ({ ...event, at: since(event.at), text: short(event.text) })),
          verdict,
          fault,
        },
        id,
      )
    },
  }
}
