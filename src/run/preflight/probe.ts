import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { type Answer, createHttpClient, type NoAnswer } from '../../base/http/client.ts'
import { failureOf } from '../../base/http/failure.ts'
import { headerOf } from '../../base/http/headers.ts'
import { createPacers } from '../../base/http/limiter.ts'
import { type Network, openNetwork, secureOptions } from '../../base/http/network.ts'
import { proxyFor } from '../../base/http/proxy-settings.ts'
import { openTunnel, tunnelTarget } from '../../base/http/tunnel.ts'
import { misleadingOffsetSeconds, tlsAlertMs, toleratedOffsetSeconds } from '../../base/times.ts'
import type { TellWait } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { noAnswerProblem, type Problem } from './problem.ts'

/** @throws TwotokenError `configuration` where `tls.ca` or `tls.client` cannot be read */
export async function openProbing(configuration: Configuration, tellWait: TellWait) {
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
export type Probing = Awaited<ReturnType<typeof openProbing>>

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

/** Connects as the suite would, with TLS for https and wss, and sends nothing; `null` where that succeeds. */
export async function tryConnection(url: URL, deadlineMs: number, network: Network): Promise<Error | null> {
  const proxy = proxyFor(url, network.proxy)
  if (proxy === null) return await shakeHands(url, deadlineMs, network, null)
  try {
    const tunnel = await openTunnel(proxy, tunnelTarget(url), AbortSignal.timeout(deadlineMs))
    return await shakeHands(url, deadlineMs, network, tunnel)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Why a connection over TLS was closed, where the handshake says more than the exchange did. */
async function explainReset(
  url: string,
  reply: NoAnswer,
  { configuration: { limits }, network }: Probing,
): Promise<Pick<NoAnswer, 'failure' | 'message'>> {
  if (reply.failure !== 'reset' || !url.startsWith('https:')) return reply
  const deadlineMs = limits.requestSeconds * 1000
  const error = await tryConnection(new URL(url), deadlineMs, network)
  const { kind, message } = failureOf(error, deadlineMs, limits.bodyBytes)
  return error !== null && kind === 'tls' ? { failure: kind, message } : reply
}

/** A peer that gave no whole answer to a request. */
export async function unansweredProblem(
  part: 'mint' | 'backend',
  url: string,
  reply: NoAnswer,
  probing: Probing,
): Promise<Problem> {
  return noAnswerProblem(part, url, await explainReset(url, reply, probing), probing.configuration.tls.ca)
}

function shakeHands(
  url: URL,
  deadlineMs: number,
  network: Network,
  tunnel: Socket | null,
): Promise<Error | null> {
  const isSecure = url.protocol === 'wss:' || url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (isSecure ? 443 : 80)
  if (tunnel !== null && !isSecure) {
    tunnel.destroy()
    return Promise.resolve(null)
  }
  return new Promise((resolve) => {
    const socket: Socket = isSecure
      ? connectTls({
          ...(tunnel === null ? { host, port } : { socket: tunnel, host }),
          servername: isIP(host) === 0 ? host : undefined,
          ...secureOptions(network, url.hostname),
        })
      : connect({ host, port })
    let timer = setTimeout(() => socket.destroy(new DOMException('late', 'TimeoutError')), deadlineMs)
    let failure: Error | null = null
    let isConnected = false
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isConnected = true
      clearTimeout(timer)
      if (isSecure) timer = setTimeout(() => socket.destroy(), tlsAlertMs)
      else socket.destroy()
    })
    socket.once('error', (error: Error & { code?: string }) => {
      if (!isConnected || error.code?.startsWith('ERR_SSL') === true) failure = error
    })
    socket.once('end', () => {
      if (!isConnected) failure ??= Object.assign(new Error('ended'), { code: 'ECONNRESET' })
      socket.destroy()
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(failure)
    })
  })
}
