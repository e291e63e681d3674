import type { Clock } from '../../../base/clock.ts'
import type {
  Journal,
  Party,
  RecordedEvent,
  RecordedMessage,
  TransportFault,
} from '../../../base/evidence/exchange.ts'
import type { Redactor } from '../../../base/evidence/redact.ts'
import { redactHeaders } from '../../../base/evidence/redact-headers.ts'

/**
 * Records the events between a client and its doubles as the results show them: redacted, and in the suite's
 * time.
 */
export interface ExchangeRecorder {
  now(): number
  /** The id of something that goes on; `http` or `socket` records it when it is over. */
  begin(): string
  recordHttp(id: string, seen: SeenHttp): void
  recordSocket(id: string, seen: SeenSocket): void
  /** Hands everything to the journal: only now are all secrets known that have to be hidden in it. */
  end(): void
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
  readonly fault?: TransportFault | undefined
}

interface SeenSocket {
  readonly to: Party
  readonly at: number
  readonly url: string
  readonly headers: RecordedMessage['headers']
  readonly events: readonly RecordedEvent[]
  readonly verdict: string
  readonly fault?: TransportFault | undefined
}

export interface ExchangeRecorderOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  /** The monotonic instant that recorded times count from. */
  readonly runStart: number
}

const recordedCharacters = 4096
const recordedEvents = 60

export function createExchangeRecorder({
  journal,
  redactor,
  clock,
  runStart,
}: ExchangeRecorderOptions): ExchangeRecorder {
  const since = (instant: number) => Math.round(instant - runStart)
  const clean = (text: string) => redactor.received(text, recordedCharacters)
  const cleanHeaders = (headers: RecordedMessage['headers']) =>
    redactHeaders(headers, redactor).map(
      ([name, value]) => [name, value.slice(0, recordedCharacters)] as const,
    )
  const unrecorded: (() => void)[] = []
  return {
    now: clock.monotonic,
    end() {
      for (const record of unrecorded.splice(0)) record()
    },
    begin: journal.reserve,
    recordHttp(id, { to, at, method, url, headers, body, response, failure, fault }) {
      const durationMs = Math.round(clock.monotonic() - at)
      unrecorded.push(() =>
        journal.record(
          {
            kind: 'http',
            from: 'client',
            to,
            at: since(at),
            durationMs,
            request: { method, url: clean(url), headers: cleanHeaders(headers), body: clean(body) },
            response: response && {
              status: response.status,
              statusText: '',
              headers: cleanHeaders(response.headers),
              body: clean(response.body),
            },
            failure,
            fault,
          },
          id,
        ),
      )
    },
    recordSocket(id, { to, at, url, headers, events, verdict, fault }) {
      const durationMs = Math.round(clock.monotonic() - at)
      const shown = () =>
        events
          .slice(0, recordedEvents)
          .map((event) => ({ ...event, at: since(event.at), text: clean(event.text) }))
      unrecorded.push(() =>
        journal.record(
          {
            kind: 'websocket',
            from: 'client',
            to,
            at: since(at),
            durationMs,
            request: { url: clean(url), headers: cleanHeaders(headers) },
            events: shown(),
            verdict: clean(verdict),
            fault,
          },
          id,
        ),
      )
    },
  }
}
