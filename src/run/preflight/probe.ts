import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { type Answer, createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { createPacers } from '../../base/http/limiter.ts'
import { type Network, openNetwork } from '../../base/http/network.ts'
import type { TellWait } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'

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
