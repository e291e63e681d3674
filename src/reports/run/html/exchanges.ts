import type {
  Exchange,
  HttpExchange,
  RecordedMessage,
  ShownToken,
  TokenParts,
  WebSocketExchange,
} from '../../../base/evidence/exchange.ts'
import { onOneLine } from '../../../base/printable.ts'
import type { Finding } from '../../../requirement/judge.ts'
import { secondsOf } from '../../describe-results.ts'
import { escapeMarkup, inertJson } from '../../escape.ts'
import type { RunResults } from '../../results.ts'
import { highlightSecrets, plural, renderSection } from './markup.ts'

/**
 * @param caused exchanges that this one caused, which are shown inside of it
 * @param finding rests on it: its bytes are marked where they say the same
 */
export function renderExchange(
  exchange: Exchange,
  finding?: Finding,
  caused: readonly Exchange[] = [],
  isOpen = false,
): string {
  const inside =
    caused.length === 0
      ? ''
      : `<p class="aside">During this request, the backend called the mint:</p>${caused.map((one) => renderExchange(one, finding)).join('')}`
  return `<details class="exchange"${isOpen ? ' open="open"' : ''}><summary>${renderExchangeSummary(exchange)}</summary>${renderConversation(exchange, finding)}${inside}</details>`
}

function renderExchangeSummary(exchange: Exchange): string {
  const { id, from, to, at } = exchange
  const what =
    exchange.kind === 'websocket'
      ? `WebSocket <em>${escapeMarkup(onOneLine(exchange.verdict))}</em>`
      : `${escapeMarkup(onOneLine(exchange.request.method))} <em>${escapeMarkup(onOneLine(`${exchange.response?.status ?? exchange.failure ?? 'no answer'}`))}</em>`
  const named =
    exchange.case === undefined ? '' : ` <span class="case">${escapeMarkup(onOneLine(exchange.case))}</span>`
  return `<span class="x">${escapeMarkup(id)}</span> <span class="way">${from} → ${to}</span> <span class="what">${what}</span>${named} <span class="time">at ${(at / 1000).toFixed(3)} s</span>`
}

function renderConversation(exchange: Exchange, finding?: Finding): string {
  const { durationMs, token } = exchange
  const caption = `took ${durationMs < 1000 ? `${durationMs} ms` : `${secondsOf(durationMs)} s`}`
  const said = exchange.kind === 'http' ? renderHttp(exchange, finding) : renderWebSocket(exchange)
  return `<figure><figcaption>${escapeMarkup(caption)}</figcaption>${token === undefined ? '' : renderForgedToken(token)}${said}</figure>`
}

function renderHttp({ request, response, failure, notes = [] }: HttpExchange, finding?: Finding): string {
  const aside = [...(failure === undefined ? [] : [`no complete response: ${failure}`]), ...notes]
  return [
    renderMessage(`${request.method} ${request.url}`, request, finding && findDecisive(finding, false)),
    response &&
      renderMessage(
        `${response.status} ${response.statusText}`.trim(),
        response,
        finding && findDecisive(finding, true),
      ),
    ...aside.map((note) => `<p class="aside">${escapeMarkup(note)}</p>`),
  ].join('')
}

function renderMessage(start: string, { headers, body }: RecordedMessage, isDecisive?: Decisive): string {
  const first = isDecisive?.start(start) ? mark(highlightSecrets(start)) : highlightSecrets(start)
  const lines = headers.map(([name, value]) => {
    const line = highlightSecrets(`${name}: ${value}`)
    return isDecisive?.header(name, value) ? mark(line) : line
  })
  const text = isDecisive === undefined ? highlightSecrets(body) : markMembers(body, isDecisive)
  const rest = [...lines, ...(body === '' ? [] : ['', text])].join('\n')
  return `<pre><b>${first}</b>${rest === '' ? '' : `\n${rest}`}</pre>`
}

function markMembers(body: string, { member }: Decisive): string {
  return splitMembers(body)
    .map(({ text, name }) => {
      const shown = highlightSecrets(text)
      return name !== null && member(name, text) ? mark(shown) : shown
    })
    .join('')
}

function mark(markup: string): string {
  return `<mark>${markup}</mark>`
}

const directions: Readonly<Record<WebSocketExchange['events'][number]['type'], string>> = {
  sent: '→',
  frame: '←',
  open: '↔',
  http: '←',
  close: '←',
  error: '✕',
  timeout: '…',
}

function renderWebSocket({ request, events, at, durationMs, verdict }: WebSocketExchange): string {
  const lengthMs = Math.max(1, durationMs, ...events.map((event) => event.at - at))
  const rows = events.map((event) => {
    const after = Math.max(0, event.at - at)
    const place = ((after / lengthMs) * 100).toFixed(1)
    return `<li class="${event.type}"><span class="time">+${after} ms</span><span class="axis" style="--at:${place}%" aria-hidden="true"></span><span class="type">${directions[event.type]} ${event.type}</span><code>${highlightSecrets(event.text)}</code></li>`
  })
  const list = rows.length === 0 ? '' : `<ol class="events">${rows.join('')}</ol>`
  return `${renderMessage(`UPGRADE ${request.url}`, { headers: request.headers, body: '' })}${list}<p class="aside">signaling ${escapeMarkup(verdict)}</p>`
}

/** Further exchanges, which the script adds when the fold is opened; without scripts it names them. */
export function renderMoreExchanges(ids: readonly string[], text = `${ids.length} more`): string {
  if (ids.length === 0) return ''
  return `<details class="more" data-exchanges="${escapeMarkup(ids.join(' '))}"><summary>${escapeMarkup(text)}</summary><p class="meta">${plural(ids.length, 'exchange')} in results.json: ${escapeMarkup(ids.join(', '))}</p></details>`
}

/** Exchanges as markup, of which each tag and each line is written once: most headers come in every exchange. */
export interface PackedExchanges {
  readonly pieces: readonly string[]
  /** By the id of the exchange: the places of its pieces, with a bar between them. */
  readonly exchanges: readonly (readonly [id: string, places: string])[]
  /** By the id of the requirement: the ids of its evidence, with blanks between them. */
  readonly evidence: Readonly<Record<string, string>>
}

function packExchanges({ exchanges, checks }: RunResults): PackedExchanges {
  const places = new Map<string, number>()
  const placeOf = (piece: string) => {
    const place = places.get(piece) ?? places.size
    places.set(piece, place)
    return place
  }
  const byStart = exchanges.toSorted((one, two) => one.at - two.at)
  const packed = byStart.map((exchange) => {
    const pieces = renderExchange(exchange).split(/(?<=[\n>])|(?=<)/)
    return [exchange.id, pieces.map(placeOf).join('|')] as const
  })
  const evidence = checks.flatMap(({ id, findings }) => {
    const ids = new Set(findings.flatMap((found) => found.evidence))
    return ids.size === 0 ? [] : [[id, [...ids].join(' ')] as const]
  })
  return { pieces: [...places.keys()], exchanges: packed, evidence: Object.fromEntries(evidence) }
}

/** Every exchange as markup in data, which a browser does not lay out until the script shows it. */
export function renderExchangeBrowser(run: RunResults): string {
  const { exchanges } = run
  if (exchanges.length === 0) return ''
  // Without these characters the data cannot end the element, and is plain text to a parser of XML.
  const json = inertJson(JSON.stringify(packExchanges(run))).replace(
    /[<&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const note = `<p class="meta">${plural(exchanges.length, 'exchange')}; without JavaScript, see results.json.</p>`
  const form =
    '<form role="search" aria-label="Filter exchanges" hidden="hidden"><label>Filter <input id="filter" type="search" placeholder="id, status or word" autocomplete="off" spellcheck="false"/></label> <label>Requirement <select name="requirement"><option value="">all</option></select></label></form>'
  const heads = ['Exchange', 'Start', 'From and to', 'Request and answer', 'Case']
  const head = heads.map((title) => `<th scope="col">${title}</th>`).join('')
  const table = `<div class="scroll" role="region" aria-label="Exchanges" tabindex="0" hidden="hidden"><table class="exchanges"><thead><tr>${head}</tr></thead><tbody></tbody></table></div>`
  const rest = `<p class="meta" role="status" hidden="hidden"></p>${table}<button type="button" hidden="hidden">Show more</button>`
  return `${renderSection('log', 'Every exchange', `<div class="card" id="browser">${note}${form}${rest}</div>`)}<script type="application/json" id="exchanges">${json}</script>`
}

/** Headers whose names are words of every sentence about tokens. */
const sharedWords = new Set(['date', 'from', 'host', 'server', 'via', 'connection'])
const session = '‹session'
const callingToken = '‹calling-jwt'

/** The parts of a request or of its answer that have the words of a finding: its status, headers, fields and tokens. */
function findDecisive(finding: Finding, isAnswer: boolean) {
  const said = finding.seen === undefined ? finding.message : `${finding.seen} ${finding.case ?? ''}`
  const words = new Set(said.match(/[\w-]+/g))
  const spelled = new Set([...words].map((word) => word.toLowerCase()))
  const speaksOfSession = !isAnswer && /session/i.test(said)
  const speaksOfToken = isAnswer && /\b(?:tokens?|JWTs?)\b/.test(said)
  return {
    start: (line: string) => isAnswer && words.has(line.slice(0, 3)),
    header: (header: string, value: string) =>
      (spelled.has(header.toLowerCase()) && !sharedWords.has(header.toLowerCase())) ||
      (speaksOfSession && value.includes(session)),
    /** A member of a JSON body, as it is written. */
    member: (field: string, text: string) =>
      words.has(field) || (speaksOfToken && text.includes(callingToken)),
  }
}

type Decisive = ReturnType<typeof findDecisive>

/** A piece of a body: a member of an object whose value is no object and no list, or the text between two of them. */
interface Piece {
  readonly text: string
  /** Null for the text between members. */
  readonly name: string | null
}

const members = /"([\w-]+)":\s?(?:"[^"]*"|[\w.+-]+)/g

function splitMembers(body: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { index, 0: text, 1: name = '' } of body.matchAll(members)) {
    pieces.push({ text: body.slice(end, index), name: null }, { text, name })
    end = index + text.length
  }
  return [...pieces, { text: body.slice(end), name: null }]
}

/** A forged token beside the genuine one that it was made from, a row a parameter or claim; differences are marked. */
function renderForgedToken({ genuine, ...forged }: ShownToken): string {
  const rows = (['header', 'claims'] as const).flatMap((part) => listRows(part, forged, genuine))
  const head = genuine === undefined ? ['forged'] : ['genuine', 'forged', 'differs']
  const cells = head.map((title) => `<th scope="col">${title}</th>`)
  return `<div class="token" role="region" aria-label="A forged token, decoded" tabindex="0"><table><caption>forged token, decoded</caption><thead><tr><td></td>${cells.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function listRows(part: keyof TokenParts, forged: TokenParts, genuine: TokenParts | undefined): string[] {
  const names = new Set([...Object.keys(genuine?.[part] ?? {}), ...Object.keys(forged[part] ?? {})])
  const rows = [...names].map((name) =>
    renderRow(
      `${part} ${name}`,
      showField(forged[part], name),
      genuine === undefined ? undefined : showField(genuine[part], name),
    ),
  )
  if (forged[part] !== null) return rows
  return [renderRow(part, 'no JSON object', genuine === undefined ? undefined : 'a JSON object'), ...rows]
}

function renderRow(name: string, forged: string, genuine: string | undefined): string {
  const differs = genuine !== undefined && genuine !== forged
  const shown = (genuine === undefined ? [forged] : [genuine, forged]).map(
    (value) => `<td><code>${highlightSecrets(value)}</code></td>`,
  )
  const mark =
    genuine === undefined
      ? ''
      : `<td>${differs ? '<span class="unseen">yes</span><span aria-hidden="true">≠</span>' : ''}</td>`
  return `<tr${differs ? ' class="differs"' : ''}><th scope="row">${escapeMarkup(name)}</th>${shown.join('')}${mark}</tr>`
}

/** A claim may have the name of something that every object inherits: `toString`. */
function showField(fields: TokenParts[keyof TokenParts], name: string): string {
  return fields !== null && Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : '–'
}
