import type { Exchange, ExchangeOrigin, RecordedMessage, TokenParts } from './exchange.ts'
import type { Redactor } from './redact.ts'
import { redactValues } from './redact-values.ts'

/** Methods of a redactor that clean results. */
export type ResultRedactor = Pick<Redactor, 'text' | 'sentence' | 'printed'>

/** A redactor that looks at each text once: names and values of headers come in every exchange. */
export function rememberTexts({ text, sentence, printed }: ResultRedactor): ResultRedactor {
  return { text: remember(text), sentence: remember(sentence), printed: remember(printed) }
}

function remember(clean: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const cleaned = known.get(text) ?? clean(text)
    known.set(text, cleaned)
    return cleaned
  }
}

/** A recorded exchange without secrets, its structure as it was: parties, kinds and times are the suite's own words. */
export function redactExchange(exchange: Exchange, redactor: ResultRedactor): Exchange {
  const { text, printed } = redactor
  const message = <M extends RecordedMessage>(one: M): M => ({
    ...one,
    headers: redactPairs(one.headers, redactor),
    body: text(one.body),
  })
  const own = redactOrigin(exchange, redactor)
  const fault = exchange.fault === undefined ? {} : { fault: printed(exchange.fault) }
  if (exchange.kind === 'websocket')
    return {
      ...exchange,
      ...own,
      ...fault,
      request: {
        ...exchange.request,
        url: text(exchange.request.url),
        headers: redactPairs(exchange.request.headers, redactor),
      },
      events: exchange.events.map((event) => ({ ...event, text: text(event.text) })),
      verdict: printed(exchange.verdict),
    }
  const { request, response, failure, notes } = exchange
  return {
    ...exchange,
    ...own,
    ...fault,
    request: { ...message(request), url: text(request.url) },
    response: response && { ...message(response), statusText: text(response.statusText) },
    failure: failure === undefined ? undefined : printed(failure),
    notes: notes?.map(printed),
  }
}

function redactPairs(
  headers: RecordedMessage['headers'],
  { text, printed }: ResultRedactor,
): RecordedMessage['headers'] {
  return headers.map(([name, value]) => [printed(name), text(value)] as const)
}

function redactOrigin({ case: of, token }: ExchangeOrigin, redactor: ResultRedactor): ExchangeOrigin {
  const parts = ({ header, claims }: TokenParts): TokenParts =>
    redactValues({ header, claims }, { value: redactor.text, name: redactor.printed })
  return {
    case: of === undefined ? undefined : redactor.printed(of),
    token: token && { ...parts(token), genuine: token.genuine && parts(token.genuine) },
  }
}
