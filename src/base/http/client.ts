import { isIP } from 'node:net'
import { Agent, type Dispatcher, ProxyAgent } from 'undici'
import type { AnswerWait } from '../answer-wait.ts'
import type { Clock } from '../clock.ts'
import type { Journal, Party } from '../evidence/exchange.ts'
import type { Redactor } from '../evidence/redact.ts'
import { redactHeaders } from '../evidence/redact-headers.ts'
import { faultOfStatus, type Unavailability, unavailableByStatus } from '../evidence/transport-fault.ts'
import { createPacer, type Pacer } from '../pacing.ts'
import { parsePeerJson } from '../parse-peer-json.ts'
import { type TellWait, tellingWait } from '../told-wait.ts'
import { noteReading } from '../watchdog.ts'
import {
  BodyTooLarge,
  type FailureKind,
  failureOf,
  TooManyRedirects,
  throughProxy,
  unavailableByFailure,
} from './failure.ts'
import { type Headers, headerOf } from './headers.ts'
import { inflated } from './inflate.ts'
import { type Network, secureOptions } from './network.ts'
import { proxyFor } from './proxy-settings.ts'
import { redirectOf } from './redirect.ts'
import type { HttpRequest } from './request.ts'
import { userAgentOf } from './user-agent.ts'

/**
 * Result of a request: a whole answer, or the way in which there was none. Nothing that a peer does throws.
 */
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
  readonly redactor: Redactor
  readonly clock: Clock
  /** The monotonic instant that recorded times count from; now where absent. */
  readonly runStart?: number
  /** Whom it trusts, who it is, and through which proxy it goes; the system's authorities and none of the others where absent. */
  readonly network?: Network | undefined
  readonly deadlineMs: number
  readonly bodyBytes: number
  readonly from?: Party
  /** Whose turn a request to a part has to wait for; none where absent. */
  readonly pacers?: { of(part: string): Pacer | undefined }
  /** How long answers of a part are waited for where a request has no deadline of its own; `deadlineMs` where absent. */
  readonly waits?: { of(part: Party): AnswerWait }
  /** Tells an answer that is waited for long. */
  readonly tellWait?: TellWait
  /** Names the run to the services, so that a request is found in their logs. */
  readonly run?: string
}

const headerBytes = 64 * 1024
const maxRedirects = 5
const recordedBodyCharacters = 4096
/** Enough for requests to overlap in a burst, and few enough not to be taken for an attack. */
const connectionsPerOrigin = 24

/** An HTTP client that bounds everything a peer can send: time, header, body, redirects, inflation. */
export function createHttpClient(options: HttpOptions): HttpClient {
  const { network = {} } = options
  const connect = { timeout: options.deadlineMs, ...secureOptions(network) }
  const limits = {
    connections: connectionsPerOrigin,
    maxHeaderSize: headerBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const createAgent = (proxy: URL | null) =>
    proxy === null
      ? new Agent({ ...limits, connect })
      : new ProxyAgent({ ...limits, uri: proxy.href, requestTls: connect, proxyTls: connect })
  const shared = new Map<string, Dispatcher>()
  const sharedAgent = (proxy: URL | null): Dispatcher => {
    const known = shared.get(proxy?.href ?? '') ?? createAgent(proxy)
    shared.set(proxy?.href ?? '', known)
    return known
  }
  // A request that waits for a connection is not sent yet: were it left to the agent, its wait would count as the peer's.
  const connections = new Map<string, Pacer>()
  const connectionTo = (origin: string): Pacer => {
    const known = connections.get(origin) ?? createPacer({ atOnce: connectionsPerOrigin }, options.clock)
    connections.set(origin, known)
    return known
  }
  const { runStart = options.clock.monotonic() } = options

  const record = (
    sent: HttpRequest,
    id: string,
    sentAt: number,
    outcome: {
      answer?: Raw
      failure?: string
      fault: string | null
      unavailable: Unavailability | undefined
      notes: readonly string[]
    },
  ): string => {
    const clean = (headers: Headers) => redactHeaders(headers, options.redactor)
    const { answer, failure, fault, unavailable, notes } = outcome
    const body =
      typeof sent.body === 'string'
        ? options.redactor.received(sent.body, recordedBodyCharacters)
        : sent.body === undefined
          ? ''
          : `‹${sent.body.byteLength} bytes›`
    const exchange = {
      kind: 'http' as const,
      from: options.from ?? 'suite',
      to: sent.to,
      at: Math.round(sentAt - runStart),
      durationMs: Math.round(options.clock.monotonic() - sentAt),
      request: {
        method: sent.method,
        url: options.redactor.received(sent.url),
        headers: clean(sent.headers),
        body,
      },
      response: answer && {
        status: answer.status,
        statusText: options.redactor.received(answer.statusText),
        headers: clean([...answer.headers, ...answer.trailers]),
        body: options.redactor.received(answer.body, recordedBodyCharacters),
      },
      case: sent.case === undefined ? undefined : options.redactor.printed(sent.case),
      failure: failure === undefined ? undefined : options.redactor.printed(failure),
      fault: fault === null ? undefined : options.redactor.printed(fault),
      unavailable,
      notes: notes.length === 0 ? undefined : notes,
    }
    return options.journal.record(exchange, id)
  }

  const send = async (wanted: HttpRequest): Promise<Reply> => {
    // A redirect stays within its origin, and so within its proxy.
    const proxy = proxyFor(new URL(wanted.url), network.proxy)
    if (wanted.newConnection !== true) return await sendThrough(sharedAgent(proxy), wanted, proxy !== null)
    const own = createAgent(proxy)
    try {
      return await sendThrough(own, wanted, proxy !== null)
    } finally {
      await own.destroy()
    }
  }

  const sendThrough = async (agent: Dispatcher, wanted: HttpRequest, isProxied: boolean): Promise<Reply> => {
    const id = options.journal.reserve()
    const pacer = options.pacers?.of(wanted.to)
    const withConnection = <T>(start: () => Promise<T>) =>
      wanted.newConnection === true ? start() : connectionTo(new URL(wanted.url).origin).run(start)
    const inTurn = <T>(start: () => Promise<T>) =>
      pacer === undefined ? withConnection(start) : pacer.run(() => withConnection(start))
    const wait = wanted.deadlineMs === undefined ? options.waits?.of(wanted.to) : undefined
    let deadlineMs = wanted.deadlineMs ?? options.deadlineMs
    const notes: string[] = []
    /** Request that is sent, and the time when that began; null while it waits for its turn. */
    let sending: { readonly named: HttpRequest; readonly sent: string; readonly sentAt: number } | null = null
    let redirected: HttpRequest | null = null
    // Time spent waiting for a turn is not the peer's.
    let leftMs = deadlineMs
    const begin = async () => {
      deadlineMs = wait?.deadlineMs(deadlineMs) ?? deadlineMs
      leftMs = deadlineMs
      const headers = [...((await wanted.lateHeaders?.()) ?? []), ...wanted.headers]
      const named = { ...wanted, headers: withUserAgent(headers, options.run, id) }
      return { named, sent: textOf({ ...wanted, headers }), sentAt: options.clock.monotonic() }
    }
    const exchangeInTime = async () => {
      sending ??= await begin()
      const { named } = sending
      const startedAt = options.clock.monotonic()
      const inTime = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)))
      const signal = wanted.givenUp === undefined ? inTime : AbortSignal.any([inTime, wanted.givenUp])
      try {
        const answer = await tellingWait(
          () => exchange(agent, redirected ?? named, signal, options.bodyBytes),
          {
            what: `the ${named.to} to answer`,
            longestMs: leftMs,
            tell: options.tellWait ?? (() => undefined),
          },
        )
        return { ...sending, answer }
      } finally {
        leftMs -= options.clock.monotonic() - startedAt
      }
    }
    let mayRepeat = true
    for (let redirects = 0; ; ) {
      try {
        const { named, sent, sentAt, answer } = await inTurn(exchangeInTime)
        const next: HttpRequest | null =
          wanted.followRedirects === true ? redirectOf(redirected ?? named, answer) : null
        if (next === null) {
          const receivedAt = options.clock.monotonic()
          wait?.note({ startedAt: sentAt, endedAt: receivedAt, isSilent: false })
          noteReading(`an answer of ${named.to} to ${named.method}, ${answer.body.length} characters`)
          return {
            kind: 'answer',
            status: answer.status,
            statusText: answer.statusText,
            headers: answer.headers,
            trailers: answer.trailers,
            body: answer.body,
            json: parsedJson(answer.body),
            sent,
            sentAt,
            receivedAt,
            exchange: record(named, id, sentAt, {
              answer,
              fault: faultOfStatus(answer.status),
              unavailable: unavailableByStatus(answer.status),
              notes,
            }),
          }
        }
        redirects += 1
        if (redirects > maxRedirects) throw new TooManyRedirects()
        notes.push(`followed a redirect (${answer.status}) within the origin`)
        redirected = next
      } catch (error) {
        // A credential that cannot be had is no fault of the peer.
        if (sending === null) throw error
        const { named, sentAt }: { named: HttpRequest; sentAt: number } = sending
        const waitedMs =
          wanted.givenUp?.aborted === true
            ? Math.round((options.clock.monotonic() - sentAt) / 100) * 100
            : deadlineMs
        const failed = failureOf(error, waitedMs, options.bodyBytes)
        const { kind, message } = isProxied ? throughProxy(failed) : failed
        if (kind === 'reset' && mayRepeat) {
          mayRepeat = false
          notes.push(`retried after: ${message}`)
          continue
        }
        const receivedAt = options.clock.monotonic()
        wait?.note({ startedAt: sentAt, endedAt: receivedAt, isSilent: kind === 'timeout' })
        // A peer that redirects for ever has answered each time.
        const fault = kind === 'redirects' ? null : message
        record(named, id, sentAt, {
          failure: message,
          fault,
          unavailable: unavailableByFailure[kind],
          notes,
        })
        return { kind: 'no-answer', failure: kind, message, sentAt, receivedAt, exchange: id }
      }
    }
  }

  return {
    send,
    async [Symbol.asyncDispose]() {
      await Promise.all([...shared.values()].map((agent) => agent.destroy()))
    },
  }
}

function withUserAgent(headers: Headers, run: string | undefined, id: string): Headers {
  if (run === undefined || headerOf(headers, 'user-agent') !== undefined) return headers
  return [...headers, ['user-agent', userAgentOf(run, id)]]
}

interface Raw {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly trailers: Headers
  readonly body: string
}

async function exchange(
  agent: Dispatcher,
  sent: HttpRequest,
  signal: AbortSignal,
  bodyBytes: number,
): Promise<Raw> {
  const { origin, hostname, pathname, search } = new URL(sent.url)
  const response = await agent.request({
    origin,
    path: (sent.absoluteTarget ?? '') + pathname + search,
    method: sent.method as Dispatcher.HttpMethod,
    headers: [['accept-encoding', 'identity'], ...sent.headers].flat(),
    body: sent.body ?? null,
    responseHeaders: 'raw',
    // Otherwise TLS would name what a Host header says.
    ...(headerOf(sent.headers, 'host') === undefined || isIP(hostname) !== 0 ? {} : { servername: hostname }),
    signal,
  })
  const headers = pairs(response.headers)
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

function pairs(raw: unknown): Headers {
  if (!Array.isArray(raw)) return []
  const text = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))
  const list: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    list.push([text(raw[index]).toLowerCase(), text(raw[index + 1])])
  return list
}

function parsedJson(body: string): unknown {
  try {
    return parsePeerJson(body)
  } catch {
    return undefined
  }
}

function textOf(sent: HttpRequest): string {
  const headers = sent.headers.map(([name, value]) => `${name}: ${value}`)
  return [sent.url, ...headers, typeof sent.body === 'string' ? sent.body : ''].join('\n')
}
