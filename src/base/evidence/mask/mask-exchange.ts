import type {
  Exchange,
  HttpExchange,
  Party,
  RecordedEvent,
  RecordedMessage,
  WebSocketExchange,
} from '../exchange.ts'
import { splitAtLabels } from './labels.ts'
import { type Mask, newAllowance } from './mask.ts'
import { cutIntoPieces } from './pieces.ts'

/** Parties whose words are the suite's own. */
const own: ReadonlySet<Party> = new Set([
  'suite',
  'mint-double',
  'backend-double',
  'signaling-double',
  'listener',
])

/** Masks what a peer has said in an exchange; what the suite and its doubles have said stays. */
export function maskExchange<E extends Exchange>(exchange: E, mask: Mask): E
export function maskExchange(exchange: Exchange, mask: Mask): Exchange {
  return exchange.kind === 'http' ? maskHttp(exchange, mask) : maskSocket(exchange, mask)
}

function maskHttp(exchange: HttpExchange, mask: Mask): HttpExchange {
  const { from, to, request, response, failure, fault, notes } = exchange
  const allowance = newAllowance()
  const text = (one: string) => mask.text(one, allowance)
  const message = <M extends RecordedMessage>(one: M): M => ({
    ...one,
    headers: maskPairs(one.headers, text),
    body: text(one.body),
  })
  return {
    ...exchange,
    request: own.has(from)
      ? request
      : { ...message(request), method: text(request.method), url: text(request.url) },
    response:
      response === undefined || own.has(to)
        ? response
        : { ...message(response), statusText: text(response.statusText) },
    failure: failure === undefined ? undefined : text(failure),
    fault: fault === undefined ? undefined : text(fault),
    notes: notes?.map(text),
  }
}

function maskSocket(exchange: WebSocketExchange, mask: Mask): WebSocketExchange {
  const { from, request, events, verdict, fault } = exchange
  const allowance = newAllowance()
  const text = (one: string) => mask.text(one, allowance)
  const isOwn = ownEvent(from)
  return {
    ...exchange,
    request: own.has(from) ? request : { url: text(request.url), headers: maskPairs(request.headers, text) },
    events: events.map((event) => {
      if (isOwn(event)) return event
      const isClause = event.type === 'error' || event.type === 'timeout'
      return { ...event, text: isClause ? mask.sentence(event.text) : text(event.text) }
    }),
    verdict: mask.sentence(verdict),
    fault: fault === undefined ? undefined : text(fault),
  }
}

/** Frames go from the one who listens to the one who has connected; what is sent goes the other way. */
function ownEvent(from: Party): (event: RecordedEvent) => boolean {
  const type = own.has(from) ? 'sent' : 'frame'
  return (event) => event.type === type
}

/** Headers of a few numbers, which say how much and how long. */
const counting = /^(?:content-length|age|retry-after|(?:x-)?ratelimit-(?:limit|remaining|reset))$/i

function maskPairs(
  headers: RecordedMessage['headers'],
  text: (one: string) => string,
): RecordedMessage['headers'] {
  return headers.map(
    ([name, value]) =>
      [text(name), counting.test(name) && /^\d{1,6}$/.test(value) ? value : text(value)] as const,
  )
}

/**
 * Runs of letters and digits that the suite has sent before any peer said them: a peer that repeats them tells nothing
 * new. Secrets are none of them, since labels stand in their places.
 */
export function sentNames(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const sent = new Map<string, number>()
  const said = new Map<string, number>()
  for (const exchange of exchanges)
    for (const { isOwn, at, text } of textsOf(exchange)) {
      const first = isOwn ? sent : said
      for (const run of runsOf(text))
        if (at < (first.get(run) ?? Number.POSITIVE_INFINITY)) first.set(run, at)
    }
  return new Set(
    [...sent].filter(([run, at]) => at <= (said.get(run) ?? Number.POSITIVE_INFINITY)).map(([run]) => run),
  )
}

/** Runs of letters and digits of a text, labels left out. */
export function* runsOf(text: string): Iterable<string> {
  for (const part of splitAtLabels(text))
    if (!part.isLabel)
      for (const piece of cutIntoPieces(part.text)) if (piece.kind === 'run') yield piece.text
}

interface Said {
  readonly isOwn: boolean
  readonly at: number
  readonly text: string
}

function* textsOf(exchange: Exchange): Iterable<Said> {
  const { at, request } = exchange
  const isOwn = own.has(exchange.from)
  yield { isOwn, at, text: request.url }
  for (const pair of request.headers) yield { isOwn, at, text: pair.join(' ') }
  if (exchange.kind === 'websocket') {
    const isOwnEvent = ownEvent(exchange.from)
    for (const event of exchange.events) yield { isOwn: isOwnEvent(event), at: event.at, text: event.text }
    return
  }
  yield { isOwn, at, text: exchange.request.body }
  if (exchange.response === undefined) return
  const answered = { isOwn: own.has(exchange.to), at: at + exchange.durationMs }
  yield { ...answered, text: exchange.response.body }
  for (const pair of exchange.response.headers) yield { ...answered, text: pair.join(' ') }
}
