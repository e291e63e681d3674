import type { Exchange, HttpExchange, WebSocketExchange } from '../base/evidence/exchange.ts'
import { type Credential, credentialsIn } from './credentials.ts'
import { lanesOf, placesOf } from './misplaced-credentials.ts'

/** One calling JWT's way, as far as it was seen. */
export interface Journey {
  readonly fingerprint: string
  readonly minted?: HttpExchange
  readonly fetched?: HttpExchange
  readonly joined?: WebSocketExchange
}

type Unfinished = { -readonly [Step in keyof Journey]: Journey[Step] }

/** The way that is seen most wholly, and of those the first; null where no token was seen. */
export function bestJourney(exchanges: readonly Exchange[]): Journey | null {
  const journeys = new Map<string, Unfinished>()
  for (const exchange of exchanges) {
    const lanes = lanesOf(exchange)
    if (lanes === null) continue
    const socket = exchange.kind === 'websocket'
    for (const fingerprint of jwtsIn(socket ? textSent(exchange) : issuedBy(exchange))) {
      const journey = journeys.get(fingerprint) ?? { fingerprint }
      journeys.set(fingerprint, journey)
      if (!socket) journey[lanes.to === 'mint' ? 'minted' : 'fetched'] ??= exchange
      else if (journey.joined === undefined || (!accepted(journey.joined) && accepted(exchange)))
        journey.joined = exchange
    }
  }
  let best: Journey | null = null
  for (const journey of journeys.values()) if (best === null || worth(journey) > worth(best)) best = journey
  return best
}

export function accepted({ verdict }: WebSocketExchange): boolean {
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

function worth({ minted, fetched, joined }: Journey): number {
  const way =
    (fetched === undefined ? 0 : 8) + (minted === undefined ? 0 : 4) + (joined === undefined ? 0 : 2)
  return way + (joined !== undefined && accepted(joined) ? 1 : 0)
}

/** The body of a success of the mint or the backend. */
function issuedBy({ to, response }: HttpExchange): string {
  const issues = to === 'mint' || to === 'mint-double' || to === 'backend' || to === 'backend-double'
  return issues && response !== undefined && response.status < 300 ? response.body : ''
}

function jwtsIn(text: string): string[] {
  return credentialsIn(text).flatMap((credential) =>
    isCallingJwt(credential) && credential.fingerprint !== null ? [credential.fingerprint] : [],
  )
}
