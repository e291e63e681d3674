import { isIP } from 'node:net'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import type { Clock } from '../clock.ts'
import { beginningOf, type HttpExchange, type Journal, type Party } from '../evidence/exchange.ts'
import { faultOfStatus, unavailableByStatus } from '../evidence/transport-fault.ts'
import { userAgentOf } from '../version.ts'
import { noteReading } from '../watchdog.ts'
import {
  BodyTooLarge,
  type Failed,
  type FailureKind,
  failureOf,
  TooManyRedirects,
  unavailableByFailure,
} from './failure.ts'
import { type Headers, headerOf } from './headers.ts'
import { pairsOf, parsedJson } from './incoming.ts'
import { inflated } from './inflate.ts'
import { createPacer, type createPacers, type Pacer } from './limiter.ts'
import { type Network, secureOptions } from './network.ts'
import { proxyFor } from './proxy-settings.ts'

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

/** Result of a request: a whole answer, or the way in which there was none. Nothing that a peer does throws. */
export type Reply = Answer | NoAnswer

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  /** Fields behind the body of a chunked answer. */
  readonly trailers: Headers
  /** The body as UTF-8; bytes that are none are replaced. */
  readonly body: string
  /** The parsed body, or `undefined` where it is not JSON. */
  readonly json: unknown
  /** Every text that went out with the request: an answer that repeats some of it only echoes. */
  readonly sent: string
  /** Monotonic milliseconds. */
  readonly sentAt: number
  readonly receivedAt: number
  readonly exchange: string
}

export interface NoAnswer {
  readonly kind: 'no-answer'
  readonly failure: FailureKind
  /** A clause for a sentence: "did not answer within 10 s". */
  readonly message: string
  readonly sentAt: number
  readonly receivedAt: number
  readonly exchange: string
}

export interface HttpClient extends AsyncDisposable {
  send(request: HttpRequest): Promise<Reply>
}

export interface HttpOptions {
  readonly journal: Journal
  readonly clock: Clock
  /** Whom it trusts, who it is, and through which proxy it goes; the system's authorities and none of the others where absent. */
  readonly network?: Network | undefined
  readonly deadlineMs: number
  readonly bodyBytes: number
  readonly from?: Party
  /** Whose turn a request to a part has to wait for; none where absent. */
  readonly pacers?: ReturnType<typeof createPacers> | undefined
  /** Names the run to the services, so that a request is found in their logs. */
  readonly run?: string
}

const headerBytes = 64 * 1024
const maxRedirects = 5
const recordedBodyCharacters = 4096
/** Connections to one origin: enough for requests to overlap in a burst, and few enough not to be taken for an attack. */
const connections = 24

interface Http {
  readonly options: HttpOptions & { readonly network: Network }
  readonly agents: Map<string, Dispatcher>
  /** A request that waits for a connection is not sent yet: were it left to the agent, its wait would count as the peer's. */
  readonly connections: Map<string, Pacer>
}

/** An HTTP client that bounds everything a peer can send: time, header, body, redirects, inflation. */
export function createHttpClient(given: HttpOptions): HttpClient {
  const { network = {} } = given
  const http: Http = { options: { ...given, network }, agents: new Map(), connections: new Map() }
  return {
    send: (wanted) => send(http, wanted),
    async [Symbol.asyncDispose]() {
      await Promise.all([...http.agents.values()].map((agent) => agent.destroy()))
    },
  }
}

const agentLimits = { maxHeaderSize: headerBytes, headersTimeout: 0, bodyTimeout: 0, connections }

function createAgent({ options }: Http, target: URL, proxy: URL | null): Dispatcher {
  const connectTo = ({ hostname }: URL) => ({
    timeout: options.deadlineMs,
    ...secureOptions(options.network, hostname),
  })
  const connect = connectTo(target)
  if (proxy === null) return new Agent({ ...agentLimits, connect })
  return new ProxyAgent({ ...agentLimits, uri: proxy.href, requestTls: connect, proxyTls: connectTo(proxy) })
}

function sharedAgent(http: Http, target: URL, proxy: URL | null): Dispatcher {
  // An agent shows one certificate to all hosts that it connects to.
  const key = JSON.stringify([target.hostname, proxy?.href])
  const known = http.agents.get(key) ?? createAgent(http, target, proxy)
  http.agents.set(key, known)
  return known
}

function connectionTo(http: Http, origin: string): Pacer {
  const known = http.connections.get(origin) ?? createPacer({ atOnce: connections }, http.options.clock)
  http.connections.set(origin, known)
  return known
}

async function send(http: Http, wanted: HttpRequest): Promise<Reply> {
  // A redirect stays within its origin, and so within its proxy.
  const target = new URL(wanted.url)
  const proxy = proxyFor(target, http.options.network.proxy)
  if (wanted.newConnection !== true)
    return await new Sending(http, sharedAgent(http, target, proxy), wanted).run(proxy !== null)
  const own = createAgent(http, target, proxy)
  try {
    return await new Sending(http, own, wanted).run(proxy !== null)
  } finally {
    await own.destroy()
  }
}

/** A request as it is sent, and the time when that began. */
interface Begun {
  readonly named: HttpRequest
  readonly sent: string
  readonly sentAt: number
}

/** One request, with its redirects and its repetition after a reset connection. */
class Sending {
  readonly #http: Http
  readonly #agent: Dispatcher
  readonly #wanted: HttpRequest
  readonly #id: string
  readonly #notes: string[] = []
  readonly #deadlineMs: number
  /** Time spent waiting for a turn is not the peer's. */
  #leftMs: number
  /** Null while it waits for its turn. */
  #begun: Begun | null = null
  #redirected: HttpRequest | null = null

  constructor(http: Http, agent: Dispatcher, wanted: HttpRequest) {
    this.#http = http
    this.#agent = agent
    this.#wanted = wanted
    this.#id = http.options.journal.reserve()
    this.#deadlineMs = wanted.deadlineMs ?? http.options.deadlineMs
    this.#leftMs = this.#deadlineMs
  }

  async run(isProxied: boolean): Promise<Reply> {
    let reset: Failed | null = null
    for (let redirects = 0; ; ) {
      try {
        const [begun, answer] = await this.#inTurn(() => this.#exchangeInTime())
        const next =
          this.#wanted.followRedirects === true ? redirectOf(this.#redirected ?? begun.named, answer) : null
        if (next === null) return this.#replyOf(begun, answer)
        redirects += 1
        if (redirects > maxRedirects) throw new TooManyRedirects()
        this.#notes.push(`followed a redirect (${answer.status}) within the origin`)
        this.#redirected = next
      } catch (error) {
        const begun = this.#begun
        // A credential that cannot be had is no fault of the peer.
        if (begun === null) throw error
        const last = failureOf(error, this.#waitedMs(begun), this.#http.options.bodyBytes, isProxied)
        // A peer that refuses the next connection ended at this request.
        const told: Failed = last.kind === 'refused' && reset !== null ? reset : last
        if (told.kind !== 'reset' || reset !== null) return this.#noReplyOf(begun, told)
        reset = told
        this.#notes.push(`retried after: ${told.message}`)
      }
    }
  }

  #inTurn<T>(start: () => Promise<T>): Promise<T> {
    const { to, url, newConnection } = this.#wanted
    const pacer = this.#http.options.pacers?.of(to)
    const withConnection = () =>
      newConnection === true ? start() : connectionTo(this.#http, new URL(url).origin).run(start)
    return pacer === undefined ? withConnection() : pacer.run(withConnection)
  }

  async #begin(): Promise<Begun> {
    const { run, clock } = this.#http.options
    const wanted = this.#wanted
    this.#leftMs = this.#deadlineMs
    const headers = [...((await wanted.lateHeaders?.()) ?? []), ...wanted.headers]
    const named = { ...wanted, headers: withUserAgent(headers, run, this.#id) }
    return { named, sent: textOf({ ...wanted, headers }), sentAt: clock.monotonic() }
  }

  async #exchangeInTime(): Promise<readonly [Begun, Raw]> {
    const { clock, bodyBytes } = this.#http.options
    const { givenUp } = this.#wanted
    const begun = this.#begun ?? (await this.#begin())
    this.#begun = begun
    const startedAt = clock.monotonic()
    const inTime = AbortSignal.timeout(Math.max(1, Math.ceil(this.#leftMs)))
    const signal = givenUp === undefined ? inTime : AbortSignal.any([inTime, givenUp])
    try {
      return [begun, await exchange(this.#agent, this.#redirected ?? begun.named, signal, bodyBytes)]
    } finally {
      this.#leftMs -= clock.monotonic() - startedAt
    }
  }

  #waitedMs({ sentAt }: Begun): number {
    if (this.#wanted.givenUp?.aborted !== true) return this.#deadlineMs
    return Math.round((this.#http.options.clock.monotonic() - sentAt) / 100) * 100
  }

  #replyOf(begun: Begun, answer: Raw): Reply {
    const receivedAt = this.#http.options.clock.monotonic()
    const { named, sent, sentAt } = begun
    const { body, status } = answer
    noteReading(`an answer of ${named.to} to ${named.method}, ${body.length} characters`)
    const json = parsedJson(body)
    const fault = faultOfStatus(status) ?? undefined
    this.#record(begun, { fault, unavailable: unavailableByStatus(status) }, answer)
    return { kind: 'answer', ...answer, json, sent, sentAt, receivedAt, exchange: this.#id }
  }

  #noReplyOf(begun: Begun, { kind, message }: Failed): Reply {
    const receivedAt = this.#http.options.clock.monotonic()
    // A peer that redirects for ever has answered each time.
    const fault = kind === 'redirects' ? undefined : message
    this.#record(begun, { failure: message, fault, unavailable: unavailableByFailure[kind] })
    return { kind: 'no-answer', failure: kind, message, sentAt: begun.sentAt, receivedAt, exchange: this.#id }
  }

  #record(
    { named, sentAt }: Begun,
    outcome: Pick<HttpExchange, 'failure' | 'fault' | 'unavailable'>,
    answer?: Raw,
  ): void {
    const { journal, from = 'suite' } = this.#http.options
    const { to, method, url, headers, body = '', case: name } = named
    const shown =
      typeof body === 'string' ? beginningOf(body, recordedBodyCharacters) : `(${body.byteLength} bytes)`
    journal.record(
      {
        kind: 'http',
        from,
        to,
        ...journal.timesFrom(sentAt),
        request: { method, url, headers, body: shown },
        response: answer && {
          status: answer.status,
          statusText: answer.statusText,
          headers: [...answer.headers, ...answer.trailers],
          body: beginningOf(answer.body, recordedBodyCharacters),
        },
        case: name,
        ...outcome,
        notes: this.#notes.length === 0 ? undefined : this.#notes,
      },
      this.#id,
    )
  }
}

function withUserAgent(headers: Headers, run: string | undefined, id: string): Headers {
  if (run === undefined || headerOf(headers, 'user-agent') !== undefined) return headers
  return [...headers, ['user-agent', userAgentOf(run, id)]]
}

type Raw = Pick<Answer, 'status' | 'statusText' | 'headers' | 'trailers' | 'body'>

async function exchange(
  agent: Dispatcher,
  sent: HttpRequest,
  signal: AbortSignal,
  bodyBytes: number,
): Promise<Raw> {
  const { origin, hostname, pathname, search } = new URL(sent.url)
  // Otherwise TLS would name what a Host header says.
  const servername = headerOf(sent.headers, 'host') === undefined || isIP(hostname) !== 0 ? null : hostname
  const options = {
    origin,
    path: (sent.absoluteTarget ?? '') + pathname + search,
    method: sent.method as Dispatcher.HttpMethod,
    headers: [['accept-encoding', 'identity'], ...sent.headers].flat(),
    body: sent.body ?? null,
    responseHeaders: 'raw',
    servername,
    signal,
  } as const
  const response = await agent.request(options)
  // Raw ones are a list of names and values.
  const headers = pairsOf(response.headers as unknown as string[])
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > bodyBytes) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  const bytes = inflated(Buffer.concat(chunks), headerOf(headers, 'content-encoding'), bodyBytes)
  return {
    status: response.statusCode,
    statusText: response.statusText,
    headers,
    trailers: Object.entries(response.trailers),
    body: new TextDecoder().decode(bytes),
  }
}

function textOf(sent: HttpRequest): string {
  const headers = sent.headers.map(([name, value]) => `${name}: ${value}`)
  return [sent.url, ...headers, typeof sent.body === 'string' ? sent.body : ''].join('\n')
}

/** The request that a redirect within the origin asks for; `null` where there is none, or it leads elsewhere. */
function redirectOf(
  sent: HttpRequest,
  answer: { readonly status: number; readonly headers: Headers },
): HttpRequest | null {
  if (![301, 302, 303, 307, 308].includes(answer.status)) return null
  const location = headerOf(answer.headers, 'location')
  if (location === undefined || !URL.canParse(location, sent.url)) return null
  const url = new URL(location, sent.url)
  if (url.origin !== new URL(sent.url).origin) return null
  if (answer.status === 307 || answer.status === 308) return { ...sent, url: url.href }
  const { body: _, ...withoutBody } = sent
  return { ...withoutBody, method: 'GET', url: url.href }
}
