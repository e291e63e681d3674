import type { Exchange, HttpExchange, WebSocketExchange } from '../base/evidence/exchange.ts'
import type { SecretLabel } from '../base/evidence/secret-label.ts'
import { findCredentials, lanesOf, placesOf } from './misplaced-credentials.ts'

/** The exchanges that issued, fetched and used one calling JWT, as far as they were recorded. */
export interface TokenTrace {
  readonly fingerprint: string
  readonly minted?: HttpExchange | undefined
  readonly fetched?: HttpExchange | undefined
  readonly joined?: WebSocketExchange | undefined
}

type Unfinished = { -readonly [Step in keyof TokenTrace]: TokenTrace[Step] }

/** Traces the calling JWT with the most complete record, the first of several; null without any token. */
export function traceCallingJwt(exchanges: readonly Exchange[]): TokenTrace | null {
  const traces = new Map<string, Unfinished>()
  for (const exchange of exchanges) {
    const lanes = lanesOf(exchange)
    if (lanes === null) continue
    const socket = exchange.kind === 'websocket'
    const found = findCredentials(socket ? textSent(exchange) : issuedText(exchange)).flatMap((one) =>
      isCallingJwt(one) && one.fingerprint !== null ? [one.fingerprint] : [],
    )
    for (const fingerprint of found) {
      const trace = traces.get(fingerprint) ?? { fingerprint }
      traces.set(fingerprint, trace)
      if (!socket) trace[lanes.to === 'mint' ? 'minted' : 'fetched'] ??= exchange
      else if (trace.joined === undefined || (!isAccepted(trace.joined) && isAccepted(exchange)))
        trace.joined = exchange
    }
  }
  let best: TokenTrace | null = null
  for (const trace of traces.values()) if (best === null || rate(trace) > rate(best)) best = trace
  return best
}

export function isAccepted({ verdict }: WebSocketExchange): boolean {
  return /^(?:was )?accepted\b/.test(verdict)
}

export function textSent(exchange: Exchange): string {
  return placesOf(exchange)[0]
    .map(({ text }) => text)
    .join('\n')
}

/** Counts any JWT: a token is labelled as the calling JWT only after it was decoded. */
export function isCallingJwt({ kind }: SecretLabel): boolean {
  return kind === 'calling-jwt' || kind === 'jwt'
}

function rate({ minted, fetched, joined }: TokenTrace): number {
  const way =
    (fetched === undefined ? 0 : 8) + (minted === undefined ? 0 : 4) + (joined === undefined ? 0 : 2)
  return way + (joined !== undefined && isAccepted(joined) ? 1 : 0)
}

/** The body of a successful answer of the mint or the backend. */
function issuedText({ to, response }: HttpExchange): string {
  const issues = to === 'mint' || to === 'mint-double' || to === 'backend' || to === 'backend-double'
  return issues && response !== undefined && response.status < 300 ? response.body : ''
}
