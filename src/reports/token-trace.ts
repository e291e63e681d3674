import type { Exchange, HttpExchange, WebSocketExchange } from '../base/evidence/exchange.ts'
import { type Credential, findCredentials } from './credentials.ts'
import { lanesOf, placesOf } from './misplaced-credentials.ts'

/** One calling JWT's way, as far as it was seen. */
export interface TokenTrace {
  readonly fingerprint: string
  readonly minted?: HttpExchange
  readonly fetched?: HttpExchange
  readonly joined?: WebSocketExchange
}

type Unfinished = { -readonly [Step in keyof TokenTrace]: TokenTrace[Step] }

/** The way that is seen most wholly, and of those the first; null where no token was seen. */
export function traceCallingJwt(exchanges: readonly Exchange[]): TokenTrace | null {
  const traces = new Map<string, Unfinished>()
  for (const exchange of exchanges) {
    const lanes = lanesOf(exchange)
    if (lanes === null) continue
    const socket = exchange.kind === 'websocket'
    for (const fingerprint of findCallingJwts(socket ? textSent(exchange) : issuedText(exchange))) {
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

/** What the sender of an exchange said, without what came back. */
export function textSent(exchange: Exchange): string {
  return placesOf(exchange)[0]
    .map(({ text }) => text)
    .join('\n')
}

/** A token is known as the calling JWT only once it has been read: until then, it is recorded as some JWT. */
export function isCallingJwt({ kind }: Credential): boolean {
  return kind === 'calling-jwt' || kind === 'jwt'
}

function rate({ minted, fetched, joined }: TokenTrace): number {
  const way =
    (fetched === undefined ? 0 : 8) + (minted === undefined ? 0 : 4) + (joined === undefined ? 0 : 2)
  return way + (joined !== undefined && isAccepted(joined) ? 1 : 0)
}

/** The body of a success of the mint or the backend. */
function issuedText({ to, response }: HttpExchange): string {
  const issues = to === 'mint' || to === 'mint-double' || to === 'backend' || to === 'backend-double'
  return issues && response !== undefined && response.status < 300 ? response.body : ''
}

function findCallingJwts(text: string): string[] {
  return findCredentials(text).flatMap((credential) =>
    isCallingJwt(credential) && credential.fingerprint !== null ? [credential.fingerprint] : [],
  )
}
