import type { Exchange, HttpExchange, RecordedMessage, WebSocketExchange } from '../evidence/exchange.ts'
import { escaped } from './escape.ts'

/** One recorded conversation as a figure; the caption says who spoke, when and for how long. */
export function exchangeHtml(exchange: Exchange): string {
  const { id, from, to, at, durationMs } = exchange
  const caption = `${id}: ${from} → ${to}, ${(at / 1000).toFixed(3)} s into the run, took ${durationMs} ms`
  const text = exchange.kind === 'http' ? httpText(exchange) : webSocketText(exchange)
  return `<figure><figcaption>${escaped(caption)}</figcaption>${text.map((part) => `<pre>${escaped(part)}</pre>`).join('')}</figure>`
}

/** What one sees in the fold of it. */
export function exchangeLine(exchange: Exchange): string {
  if (exchange.kind === 'websocket') return `${exchange.id}: WebSocket to ${exchange.to}, ${exchange.verdict}`
  const { request, response, failure } = exchange
  return `${exchange.id}: ${request.method} to ${exchange.to}, ${response?.status ?? failure ?? 'no answer'}`
}

function httpText({ request, response, failure, notes = [] }: HttpExchange): string[] {
  const answer =
    response === undefined ? [] : [messageText(`${response.status} ${response.statusText}`.trim(), response)]
  const aside = [...(failure === undefined ? [] : [`no whole answer: ${failure}`]), ...notes]
  return [
    messageText(`${request.method} ${request.url}`, request),
    ...answer,
    ...(aside.length === 0 ? [] : [aside.join('\n')]),
  ]
}

function messageText(start: string, { headers, body }: RecordedMessage): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [start, ...lines, ...(body === '' ? [] : ['', body])].join('\n')
}

function webSocketText({ request, events, at, verdict }: WebSocketExchange): string[] {
  const lines = events.map(
    (event) => `+${Math.max(0, event.at - at)} ms  ${event.type.padEnd(7)}  ${event.text}`,
  )
  return [
    messageText(`UPGRADE ${request.url}`, { headers: request.headers, body: '' }),
    [...lines, `→ ${verdict}`].join('\n'),
  ]
}
