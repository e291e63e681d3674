import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { type Answer, createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { createPacers } from '../../base/http/limiter.ts'
import { type Network, openNetwork } from '../../base/http/network.ts'
import { misleadingOffsetSeconds, toleratedOffsetSeconds } from '../../base/times.ts'
import type { TellWait } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Problem } from './problem.ts'

export interface Probing extends AsyncDisposable {
  readonly configuration: Configuration
  readonly http: HttpClient
  readonly clock: Clock
  readonly network: Network
  readonly tellWait: TellWait
}

/** @throws TwotokenError `configuration` where `tls.ca` or `tls.client` cannot be read */
export async function openProbing(configuration: Configuration, tellWait: TellWait): Promise<Probing> {
  const clock = systemClock
  const { requestSeconds, bodyBytes, pace } = configuration.limits
  const network = await openNetwork(configuration)
  const http = createHttpClient({
    journal: createJournal(),
    clock,
    network,
    deadlineMs: requestSeconds * 1000,
    bodyBytes,
    pacers: createPacers(pace, clock, true),
  })
  const close = () => http[Symbol.asyncDispose]()
  return { configuration, http, clock, network, tellWait, [Symbol.asyncDispose]: close }
}

/** An ordinary calling token, and the user that it was minted for. */
export interface JoinToken {
  readonly jwt: string
  readonly userId: string
}

/** Says whether the answer is an HTML page. The content type is no sign: PHP declares its JSON as HTML. */
export function isWebPage({ body }: Answer): boolean {
  return /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(body)
}

export function wantsTls({ status, body }: Answer): boolean {
  return status === 400 && /HTTP request (?:was sent )?to (?:an )?HTTPS (?:port|server)/i.test(body)
}

/**
 * A peer whose `Date` header is off from this machine's clock: lifetimes that are read from claims would be wrong.
 * @param issuedAt when a token that came with the answer says that it was issued, in seconds since 1970
 */
export function findClockProblems(
  part: 'mint' | 'backend' | 'signaling',
  answer: Answer,
  clock: Clock,
  issuedAt?: number,
): Problem[] {
  // A stored answer has the date of another day.
  if (headerOf(answer.headers, 'age') !== undefined) return []
  const date = Date.parse(headerOf(answer.headers, 'date') ?? '')
  if (Number.isNaN(date)) return []
  const wallOf = (monotonic: number) => clock.wall() - (clock.monotonic() - monotonic)
  // The header counts whole seconds, and was written at some moment of the exchange: the least offset that explains it.
  const ahead = date - wallOf(answer.receivedAt)
  const behind = wallOf(answer.sentAt) - (date + 1000)
  const seconds = Math.round(Math.max(ahead, behind) / 1000)
  if (seconds <= toleratedOffsetSeconds) return []
  // The clock of something in between gives the header, but no token.
  const isOfTokens = issuedAt === undefined || Math.abs(issuedAt - date / 1000) <= misleadingOffsetSeconds
  const message = `the clock of the ${part} (${part}.url) is ${seconds} s ${ahead > behind ? 'ahead of' : 'behind'} this machine's; expected at most ${toleratedOffsetSeconds} s: correct the wrong clock`
  return [{ part: 'clock', kind: 'clock', message, fatal: seconds > misleadingOffsetSeconds && isOfTokens }]
}
