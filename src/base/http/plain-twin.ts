import type { Party } from '../evidence/exchange.ts'
import type { HttpClient, Reply } from './client.ts'
import type { Headers } from './headers.ts'
import { isLoopbackName } from './requested-address.ts'

/** A request with a made-up credential, and with the real one. */
export interface TwinRequest {
  readonly to: Party
  /** The https address. */
  readonly url: string
  readonly method: string
  readonly headersWith: (credential: string) => Headers
  readonly body?: string
  readonly madeUp: string
  /** Sent in the clear only on loopback. */
  readonly real: string
}

export interface TwinOutcome {
  readonly url: string
  /** Of the made-up credential over https and over http. */
  readonly secure: Reply
  readonly plain: Reply
  /** Of the real credential over http; `null` where it was not sent. */
  readonly withReal: Reply | null
  /** Whether http answers the made-up credential as https does: it serves the same endpoint. */
  readonly isAlike: boolean
}

/** As long as a port that drops connections is waited for. */
const deadlineMs = 4000

/**
 * Asks the http address beside an https one, which has the usual port of http where the other has that of https, else
 * the same port. A made-up credential goes first; the real one follows only where http answered alike, and only on
 * loopback.
 */
export async function askPlainTwin(http: HttpClient, wanted: TwinRequest): Promise<TwinOutcome> {
  const twin = new URL(wanted.url)
  const { port } = twin
  twin.protocol = 'http:'
  // Changing the protocol does not change an explicit port.
  twin.port = port
  const ask = (url: string, credential: string) =>
    http.send({
      to: wanted.to,
      method: wanted.method,
      url,
      headers: wanted.headersWith(credential),
      ...(wanted.body === undefined ? {} : { body: wanted.body }),
      deadlineMs,
      newConnection: true,
    })
  const secure = await ask(wanted.url, wanted.madeUp)
  const plain = await ask(twin.href, wanted.madeUp)
  const isAlike = secure.kind === 'answer' && plain.kind === 'answer' && areAlike(secure.status, plain.status)
  const withReal = isAlike && isLoopbackName(twin.hostname) ? await ask(twin.href, wanted.real) : null
  return { url: twin.href, secure, plain, withReal, isAlike }
}

/** The same decision about a credential; a redirect or a missing page is none. */
function areAlike(secure: number, plain: number): boolean {
  return secure === plain && ![404, 405, 426].includes(plain) && (plain < 300 || plain > 399)
}
