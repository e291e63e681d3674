import type { Clock } from '../../../base/clock.ts'
import {
  beginningOf,
  type HttpExchange,
  type Journal,
  type RecordedMessage,
  type WebSocketExchange,
} from '../../../base/evidence/exchange.ts'

type Headers = RecordedMessage['headers']

export interface Seen extends Pick<HttpExchange, 'to' | 'at' | 'fault'> {
  readonly url: string
  readonly headers: Headers
}

export interface SeenHttp extends Seen, Pick<HttpExchange, 'failure'> {
  readonly method: string
  readonly body: string
  readonly response?: Omit<NonNullable<HttpExchange['response']>, 'statusText'> | undefined
}

export interface SeenSocket extends Seen, Pick<WebSocketExchange, 'events' | 'verdict'> {}

export interface ExchangeRecorderOptions {
  readonly journal: Journal
  readonly clock: Clock
}

const recordedCharacters = 4096
const recordedEvents = 60

/** Records the events between a client and its doubles, in the suite's time. */
export function createExchangeRecorder({ journal, clock }: ExchangeRecorderOptions) {
  const short = (text: string) => beginningOf(text, recordedCharacters)
  const shortHeaders = (headers: Headers) => headers.map(([name, value]) => [name, short(value)] as const)
  const frameOf = ({ to, at, fault }: Seen) => ({
    from: 'client' as const,
    to,
    fault,
    ...journal.timesFrom(at),
  })
  return {
    now: clock.monotonic,
    noteFault: journal.noteFault,
    /** The id of something that goes on; `recordHttp` or `recordSocket` records it when it is over. */
    begin: journal.reserve,
    recordHttp(id: string, seen: SeenHttp): void {
      const { method, url, headers, body, response, failure } = seen
      const request = { method, url: short(url), headers: shortHeaders(headers), body: short(body) }
      const answered = response && {
        status: response.status,
        statusText: '',
        headers: shortHeaders(response.headers),
        body: short(response.body),
      }
      journal.record({ kind: 'http', ...frameOf(seen), request, response: answered, failure }, id)
    },
    recordSocket(id: string, seen: SeenSocket): void {
      const { url, headers, verdict } = seen
      const request = { url: short(url), headers: shortHeaders(headers) }
      const events = seen.events
        .slice(0, recordedEvents)
        .map((event) => ({ ...event, at: journal.since(event.at), text: short(event.text) }))
      journal.record({ kind: 'websocket', ...frameOf(seen), request, events, verdict }, id)
    },
  }
}
