import type { Clock } from '../../base/clock.ts'
import type { Answer, HttpClient } from '../../base/http/client.ts'
import type { Network } from '../../base/http/network.ts'
import type { TellWait } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'

export interface Probing {
  readonly configuration: Configuration
  readonly http: HttpClient
  readonly clock: Clock
  readonly network: Network
  readonly tellWait: TellWait
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
