import type {
  Exchange,
  HttpExchange,
  RecordedMessage,
  WebSocketExchange,
} from '../../base/evidence/exchange.ts'
import { escaped, onOneLine } from '../escape.ts'
import { secondsOf } from '../groups.ts'
import { withSecrets } from './markup.ts'

/** A recorded conversation: one line that unfolds to what was said. */
export function exchangeHtml(exchange: Exchange): string {
  return `<details class="exchange"><summary>${exchangeLine(exchange)}</summary>${exchangeFigure(exchange)}</details>`
}

function exchangeLine(exchange: Exchange): string {
  const { id, from, to, at } = exchange
  const what =
    exchange.kind === 'websocket'
      ? `WebSocket <em>${escaped(onOneLine(exchange.verdict))}</em>`
      : `${escaped(onOneLine(exchange.request.method))} <em>${escaped(onOneLine(`${exchange.response?.status ?? exchange.failure ?? 'no answer'}`))}</em>`
  return `<span class="x">${escaped(id)}</span> <span class="way">${from} → ${to}</span> ${what} <span class="time">at ${(at / 1000).toFixed(3)} s</span>`
}

function exchangeFigure(exchange: Exchange): string {
  const { durationMs } = exchange
  const caption = `took ${durationMs < 1000 ? `${durationMs} ms` : `${secondsOf(durationMs)} s`}`
  const said = exchange.kind === 'http' ? httpHtml(exchange) : webSocketHtml(exchange)
  return `<figure><figcaption>${escaped(caption)}</figcaption>${said}</figure>`
}

function httpHtml({ request, response, failure, notes = [] }: HttpExchange): string {
  const aside = [...(failure === undefined ? [] : [`no whole answer: ${failure}`]), ...notes]
  return [
    messageHtml(`${request.method} ${request.url}`, request),
    ...(response === undefined
      ? []
      : [messageHtml(`${response.status} ${response.statusText}`.trim(), response)]),
    ...aside.map((note) => `<p class="aside">${escaped(note)}</p>`),
  ].join('')
}

function messageHtml(start: string, { headers, body }: RecordedMessage): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const rest = [...lines, ...(body === '' ? [] : ['', body])].join('\n')
  return `<pre><b>${withSecrets(start)}</b>${rest === '' ? '' : `\n${withSecrets(rest)}`}</pre>`
}

/** Who an event comes from. */
const directions: Readonly<Record<WebSocketExchange['events'][number]['type'], string>> = {
  sent: '→',
  frame: '←',
  open: '↔',
  http: '←',
  close: '←',
  error: '✕',
  timeout: '…',
}

/** The upgrade, then each event at its place on one axis of time. */
function webSocketHtml({ request, events, at, durationMs, verdict }: WebSocketExchange): string {
  const lengthMs = Math.max(1, durationMs, ...events.map((event) => event.at - at))
  const rows = events.map((event) => {
    const after = Math.max(0, event.at - at)
    const place = ((after / lengthMs) * 100).toFixed(1)
    return `<li class="${event.type}"><span class="time">+${after} ms</span><span class="axis" style="--at:${place}%" aria-hidden="true"></span><span class="type">${directions[event.type]} ${event.type}</span><code>${withSecrets(event.text)}</code></li>`
  })
  const list = rows.length === 0 ? '' : `<ol class="events">${rows.join('')}</ol>`
  return `${messageHtml(`UPGRADE ${request.url}`, { headers: request.headers, body: '' })}${list}<p class="aside">signaling ${escaped(verdict)}</p>`
}
