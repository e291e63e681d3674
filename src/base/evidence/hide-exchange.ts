import type {
  Exchange,
  ExchangeOrigin,
  HttpExchange,
  Party,
  RecordedEvent,
  RecordedMessage,
  TokenParts,
  WebSocketExchange,
} from './exchange.ts'
import type { Hider } from './hide.ts'
import { hideValues } from './hide-values.ts'
import { newAllowance } from './mask.ts'
import { cutIntoPieces } from './pieces.ts'
import { outsideLabels } from './secret-label.ts'
import type { Secrets } from './secrets.ts'

/** Parties whose words are the suite's own. */
const own: ReadonlySet<Party> = new Set([
  'suite',
  'mint-double',
  'backend-double',
  'signaling-double',
  'listener',
])

/** Hides in an exchange what a peer has said; of what the suite and its doubles have said, only secrets. */
export function hideExchange(exchange: Exchange, hider: Hider): Exchange {
  return exchange.kind === 'http' ? hideHttp(exchange, hider) : hideSocket(exchange, hider)
}

function sideOf(party: Party, hider: Hider, allowance = newAllowance()) {
  const isOwn = own.has(party)
  const text = (one: string) => (isOwn ? hider.sent(one) : hider.text(one, allowance))
  const headers = (all: RecordedMessage['headers']) =>
    all.map((pair) => (isOwn ? hider.sentHeader(pair) : hider.header(pair, allowance)))
  const message = <M extends RecordedMessage>(one: M): M => ({
    ...one,
    headers: headers(one.headers),
    body: text(one.body),
  })
  return { text, headers, message }
}

function hideHttp(exchange: HttpExchange, hider: Hider): HttpExchange {
  const { from, to, request, response, failure, fault, notes } = exchange
  const allowance = newAllowance()
  const [asked, answered] = [sideOf(from, hider, allowance), sideOf(to, hider, allowance)]
  const about = (one: string | undefined) => (one === undefined ? undefined : hider.text(one, allowance))
  const { method, url } = request
  return {
    ...exchange,
    ...hideOrigin(exchange, hider),
    request: { ...asked.message(request), method: asked.text(method), url: asked.text(url) },
    response: response && {
      ...answered.message(response),
      statusText: answered.text(response.statusText),
    },
    failure: about(failure),
    fault: about(fault),
    notes: notes?.map((note) => hider.text(note, allowance)),
  }
}

function hideSocket(exchange: WebSocketExchange, hider: Hider): WebSocketExchange {
  const { from, request, events, verdict, fault } = exchange
  const allowance = newAllowance()
  const asked = sideOf(from, hider, allowance)
  const isOwn = ownEvent(from)
  const hideEvent = (event: RecordedEvent): string => {
    if (isOwn(event)) return hider.sent(event.text)
    const isClause = event.type === 'error' || event.type === 'timeout'
    return isClause ? hider.sentence(event.text) : hider.text(event.text, allowance)
  }
  return {
    ...exchange,
    ...hideOrigin(exchange, hider),
    request: { url: asked.text(request.url), headers: asked.headers(request.headers) },
    events: events.map((event) => ({ ...event, text: hideEvent(event) })),
    verdict: hider.sentence(verdict),
    fault: fault === undefined ? undefined : hider.text(fault, allowance),
  }
}

/** The suite has written a forged token; what it has taken over from the genuine one is a peer's. */
function hideOrigin({ case: of, token }: ExchangeOrigin, hider: Hider): ExchangeOrigin {
  const allowance = newAllowance()
  const said = JSON.stringify(token?.genuine ?? null)
  const text = (one: string) =>
    said.includes(JSON.stringify(one)) ? hider.text(one, allowance) : hider.sent(one)
  const parts = ({ header, claims }: TokenParts): TokenParts => hideValues({ header, claims }, text)
  return {
    case: of === undefined ? undefined : hider.sentence(of),
    token: token && { ...parts(token), genuine: token.genuine && parts(token.genuine) },
  }
}

/** Frames go from the one who listens to the one who has connected; what is sent goes the other way. */
function ownEvent(from: Party): (event: RecordedEvent) => boolean {
  const type = own.has(from) ? 'sent' : 'frame'
  return (event) => event.type === type
}

/** A longer run may be a secret that the suite has sent in an encoding. */
const longestName = 24

/**
 * Runs of letters and digits that the suite has sent before any peer said them: a peer that repeats them tells nothing
 * new. So are the domains that a client has asked: a reader has to know to whom it gave a secret. Secrets are none of them.
 */
export function sentNames(
  exchanges: readonly Exchange[],
  secrets: Pick<Secrets, 'text'>,
): ReadonlySet<string> {
  const sent = new Map<string, number>()
  const said = new Map<string, number>()
  for (const exchange of exchanges)
    for (const { isOwn, at, text } of textsOf(exchange)) {
      const first = isOwn ? sent : said
      for (const run of runsOf(isOwn ? secrets.text(text) : text))
        if (at < (first.get(run) ?? Number.POSITIVE_INFINITY)) first.set(run, at)
    }
  const isNew = ([run, at]: [string, number]) => at <= (said.get(run) ?? Number.POSITIVE_INFINITY)
  const names = [...sent].filter(isNew).map(([run]) => run)
  const domains = exchanges.flatMap((exchange) => runsOf(secrets.text(domainOf(exchange))))
  return new Set([...names, ...domains].filter((run) => run.length <= longestName))
}

/** The registered part of the host that a client has asked: a name below it may be made of a secret. Empty for an IP address. */
function domainOf({ from, request: { url } }: Exchange): string {
  const labels = from === 'client' && URL.canParse(url) ? new URL(url).hostname.split('.') : []
  const [second = '', top = ''] = labels.slice(-2)
  if (!/^[a-z]{2,}$/.test(top)) return ''
  // co.uk, com.au
  return labels.slice(second.length <= 3 && top.length === 2 ? -3 : -2).join('.')
}

/** Runs of letters and digits of a text, labels left out. */
export function runsOf(text: string): string[] {
  const runs: string[] = []
  outsideLabels(text, (part) => {
    for (const piece of cutIntoPieces(part)) if (piece.kind === 'run') runs.push(piece.text)
    return part
  })
  return runs
}

interface Said {
  readonly isOwn: boolean
  readonly at: number
  readonly text: string
}

function* textsOf(exchange: Exchange): Iterable<Said> {
  const { at, request } = exchange
  const isOwn = own.has(exchange.from)
  const asked = [request.url, ...request.headers.map((pair) => pair.join(': '))]
  for (const text of asked) yield { isOwn, at, text }
  if (exchange.kind === 'websocket') {
    const isOwnEvent = ownEvent(exchange.from)
    for (const event of exchange.events) yield { isOwn: isOwnEvent(event), at: event.at, text: event.text }
    return
  }
  yield { isOwn, at, text: exchange.request.body }
  const { response } = exchange
  const answered = response && [response.body, ...response.headers.map((pair) => pair.join(': '))]
  for (const text of answered ?? []) yield { isOwn: own.has(exchange.to), at: at + exchange.durationMs, text }
}
