import type { Party } from '../evidence/exchange.ts'
import type { Headers } from './headers.ts'

export interface HttpRequest {
  readonly to: Party
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** Headers that are known only when it is sent, such as a credential that is renewed. What this throws, `send` throws. */
  readonly lateHeaders?: (() => Promise<Headers>) | undefined
  readonly body?: string | Uint8Array | undefined
  /** An origin that the request target names in absolute form, as requests to proxies do; the connection stays as it is. */
  readonly absoluteTarget?: string | undefined
  /** Follow at most five redirects, and only within the origin: a credential never leaves it. */
  readonly followRedirects?: boolean
  readonly deadlineMs?: number | undefined
  /** Ends the exchange before its deadline, as one that got no answer in the time that it had. */
  readonly givenUp?: AbortSignal | undefined
  /** Connects anew rather than reuse a connection: a balancer may lead it to another node. */
  readonly newConnection?: boolean
  /** The case of a requirement that it is sent for, as a noun; it names the exchange. */
  readonly case?: string | undefined
}
