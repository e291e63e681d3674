import type { Party } from '../evidence/exchange.ts'
import { Untested } from '../inconclusive.ts'
import type { HttpClient, HttpRequest, Reply } from './client.ts'
import { type ProxySettings, proxyFor } from './proxy-settings.ts'
import { isLoopbackName } from './requested-address.ts'

interface TwinRequest {
  readonly to: Party
  /** The request of the https address with a credential; with the real one it may carry other secrets, too. */
  readonly requestWith: (
    credential: string,
    isReal: boolean,
  ) => Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>
  readonly madeUp: string
  /** Sent in the clear only on loopback. */
  readonly real: string
}

/** As long as a port that drops connections is waited for: longer where https is slow as well. */
const deadlinesMs = [4_000, 16_000] as const
/** Silence is that of a port that drops connections where https answers so many times as fast. */
const timesFaster = 4

/**
 * Asks the http address beside an https one, which has the usual port of http where the other has that of https, else
 * the same port. A made-up credential goes first; the real one follows only where http answered alike, and only on
 * loopback. Throws `Untested` where http met no response and https was too slow to tell that from a closed port.
 */
export async function askPlainTwin(http: HttpClient, wanted: TwinRequest) {
  for (const deadlineMs of deadlinesMs) {
    const outcome = await askTwinsWithin(deadlineMs, http, wanted)
    if (outcome !== null) return outcome
  }
  throw new Untested(
    `plain http met no response within ${deadlinesMs[1] / 1000} s, and https or this machine was slow, too`,
  )
}

/** Null where silence shows nothing. */
async function askTwinsWithin(deadlineMs: number, http: HttpClient, wanted: TwinRequest) {
  const ask = (isSecure: boolean, credential: string, isReal: boolean) => {
    const request = wanted.requestWith(credential, isReal)
    const url = isSecure ? request.url : plainTwinOf(request.url).href
    return http.send({ to: wanted.to, ...request, url, deadlineMs, newConnection: true })
  }
  const secure = await ask(true, wanted.madeUp, false)
  const plain = await ask(false, wanted.madeUp, false)
  const twin = plainTwinOf(wanted.requestWith(wanted.madeUp, false).url)
  // It serves the same endpoint.
  const isAlike = secure.kind === 'answer' && plain.kind === 'answer' && areAlike(secure.status, plain.status)
  const withReal = isAlike && isLoopbackName(twin.hostname) ? await ask(false, wanted.real, true) : null
  const outcome = { url: twin.href, secure, plain, withReal, isAlike }
  // It answered just before.
  if (withReal !== null && isSilent(withReal)) return null
  if (secure.kind === 'no-answer' || !isSilent(plain)) return outcome
  const again = await ask(true, wanted.madeUp, false)
  const isFast = again.kind === 'answer' && again.receivedAt - again.sentAt < deadlineMs / timesFaster
  return isFast ? outcome : null
}

/** Why nothing can be said about plain http and old versions of TLS at an address, `null` where it can: a proxy's answers are not the server's. */
export function unaskedTwin(url: string, proxy: ProxySettings | undefined): string | null {
  const isProxied = [new URL(url), plainTwinOf(url)].some((address) => proxyFor(address, proxy) !== null)
  return isProxied ? 'needs a direct connection: behind a proxy, the answer may be of the proxy' : null
}

function plainTwinOf(secure: string): URL {
  const twin = new URL(secure)
  const { port } = twin
  twin.protocol = 'http:'
  // Changing the protocol does not change an explicit port.
  twin.port = port
  return twin
}

function isSilent(reply: Reply): boolean {
  return reply.kind === 'no-answer' && reply.failure === 'timeout'
}

/** The same decision about a credential; a redirect or a missing page is none. */
function areAlike(secure: number, plain: number): boolean {
  return secure === plain && ![404, 405, 426].includes(plain) && (plain < 300 || plain > 399)
}
