import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { beginningOf, type Journal } from '../../base/evidence/exchange.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import { findSecret } from '../../base/find-secret/find-secret.ts'
import { bearerOf, type Headers } from '../../base/http/headers.ts'
import { bodyOf, pairsOf, parsedJson } from '../../base/http/incoming.ts'
import type { Listening } from '../../base/http/listening.ts'
import type { InvalidCertificates, ServerCertificate } from '../../base/tls/certificates.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import { mintContract } from '../../contract/mint.ts'
import { type BodyShape, shapeBody } from './body-shape.ts'
import type { FakeMintConfiguration } from './configuration.ts'
import { listen } from './listen.ts'
import { type SecondOrigin, startSecondOrigin } from './second-origin.ts'

const recordedCharacters = 4096

/** Call that the backend under test made to the double. */
export interface DoubleCall {
  readonly method: string
  /** Path and query, as they came. */
  readonly target: string
  readonly headers: Headers
  readonly body: string
  readonly json: unknown
  /** The address of this machine at which it arrived. */
  readonly arrivedAt: string
  /** The `userId` of the body where it is a string. */
  readonly userId: string | null
  readonly exchange: string
  /** The token that the double gave, once it has answered with one. */
  readonly issued: string | null
  /** True while the backend still waits for the answer that the double leaves out. */
  readonly isWaiting: boolean
}

export interface DoubleAnswer {
  readonly status: number
  readonly statusText?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer, or none, or its headers alone, or a closed connection. */
export type DoubleReaction = DoubleAnswer | 'hang' | 'headers only' | 'reset'
/** `ordinary` is how the double would answer unscripted. */
export type DoubleScript = (
  call: DoubleCall,
  ordinary: () => Promise<DoubleAnswer>,
) => DoubleReaction | Promise<DoubleReaction>

/** Issues the tokens that the double hands out: by forwarding to the real mint, or by signing. */
export interface DoubleIssuer {
  /** True where signaling can be expected to accept the tokens. */
  readonly real: boolean
  issue(call: DoubleCall, ttlSeconds: number | null): Promise<{ answer: DoubleAnswer; jwt: string | null }>
}

export interface MintDoubleOptions {
  readonly fakeMint: FakeMintConfiguration
  readonly issuer: DoubleIssuer
  readonly journal: Journal
  readonly secrets: Secrets
  readonly clock: Clock
  readonly bodyBytes: number
  readonly certificate?: (ServerCertificate & { readonly invalid?: InvalidCertificates }) | undefined
}

/** Bound for the calls of one script; each also counts as an entry. */
const mostKeptBytes = 64 * 1_048_576
const entryBytes = 4096

const { user } = mintContract.request

/** The double as a check scripts it. */
export class ScriptedMint {
  readonly #options: MintDoubleOptions
  readonly #certificate: MintDoubleOptions['certificate']
  readonly #server: Server | TlsServer
  /** Connections of calls that are left without an answer. */
  readonly #hanging = new Set<Socket>()
  /** Known once it listens. */
  #port: number
  /** Null while connections are refused. */
  #listening: Listening | null = null
  #calls: Mutable<DoubleCall>[] = []
  #probes: Mutable<DoubleCall>[] = []
  #script: DoubleScript | null = null
  #delayMs = () => 0
  #shape: BodyShape | null = null
  #lifetime: number | null = null
  #keptBytes = 0
  #connected = 0
  #isCertificateChanged = false
  /** The body shape of the tokens when no check says otherwise. */
  defaultShape: BodyShape | null = null

  constructor(options: MintDoubleOptions) {
    const { fakeMint, certificate } = options
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      this.#handle(request, response).catch(() => response.destroy())
    }
    this.#options = options
    this.#port = fakeMint.port
    this.#certificate = fakeMint.tls ? certificate : undefined
    this.#server =
      this.#certificate === undefined ? createServer(listener) : createTlsServer(this.#certificate, listener)
    this.#server.on('connection', () => {
      this.#connected += 1
    })
  }

  async listen(): Promise<number> {
    this.#listening = await listen(this.#server, this.#options.fakeMint.host, this.#port)
    this.#port = this.#listening.port
    return this.#port
  }

  async stop(): Promise<void> {
    await this.#listening?.[Symbol.asyncDispose]()
    this.#listening = null
  }

  isScripted(): boolean {
    return this.#script !== null || this.#listening === null || this.#isCertificateChanged
  }

  /** Forgets the calls before, and all that it was told when `run` ends. */
  async scripted<T>(run: (double: ScriptedMint) => Promise<T>): Promise<T> {
    this.#calls = []
    this.#probes = []
    this.#keptBytes = 0
    this.#connected = 0
    try {
      return await run(this)
    } finally {
      this.#script = null
      this.#delayMs = () => 0
      this.#shape = null
      this.#lifetime = null
      if (this.#isCertificateChanged) this.showCertificate(null)
    }
  }

  /** The calls since then, in the order of their arrival; health probes are none. */
  calls(): readonly DoubleCall[] {
    return this.#calls
  }

  /** Requests without a key and a body, as a backend sends to see whether the mint is up. Answered with 200, unscripted. */
  probes(): readonly DoubleCall[] {
    return this.#probes
  }

  /** Connections since then, of which a request need not have come. */
  connections(): number {
    return this.#connected
  }

  answer(script: DoubleScript | null): void {
    this.#script = script
  }

  /** Lets every answer wait for so many milliseconds. It stays the ordinary one, so that no failure is due to the double. */
  delay(next: () => number): void {
    this.#delayMs = next
  }

  /** Puts every token into this body shape; `null` goes back to the shape that the backend is known to understand. */
  shape(shape: BodyShape | null): void {
    this.#shape = shape
  }

  /** Grants this lifetime whatever is asked; `null` honours the request. */
  lifetime(seconds: number | null): void {
    this.#lifetime = seconds
  }

  /** Ends the connections of calls that were left without an answer. */
  endHanging(): void {
    for (const socket of this.#hanging) socket.destroy()
  }

  /** Refuses connections until disposed of. */
  async refuseConnections(): Promise<AsyncDisposable> {
    await this.stop()
    return { [Symbol.asyncDispose]: async () => void (await this.listen()) }
  }

  /** Ends every connection, and shows later ones this certificate where it has it; `null`: the valid one. */
  showCertificate(name: keyof InvalidCertificates | null): void {
    const shown = name === null ? this.#certificate : this.#certificate?.invalid?.[name]
    this.#isCertificateChanged = name !== null
    if (!('setSecureContext' in this.#server) || shown === undefined) return
    // A new context has new ticket keys, so that no session of the old one is resumed.
    this.#server.setSecureContext(shown)
    // Also those in mid-handshake, which the server does not count yet: they were shown the certificate before.
    this.#listening?.endConnections()
  }

  /** Another origin than the double's own, at the same host and by the same protocol. */
  openSecondOrigin(): Promise<SecondOrigin> {
    const { fakeMint, ...services } = this.#options
    const { host } = fakeMint
    return startSecondOrigin({ ...services, host, certificate: this.#certificate })
  }

  async #ordinary(call: Mutable<DoubleCall>): Promise<DoubleAnswer> {
    const { fakeMint, issuer, secrets } = this.#options
    if (call.method !== mintContract.method)
      return problem(405, `this endpoint requires ${mintContract.method}`)
    if (bearerOf(call.headers) !== fakeMint.apiKey)
      return problem(mintContract.refusals.unknownKey, 'unknown API key')
    if (call.userId === null)
      return problem(mintContract.refusals.noUser, `${user} is required and must be a string`)
    const { answer, jwt } = await issuer.issue(call, this.#lifetime)
    if (jwt === null) return answer
    secrets.learn('calling-jwt', jwt)
    call.issued = jwt
    const wanted = this.#shape ?? this.defaultShape
    if (wanted === null) return answer
    const { contentType, body } = shapeBody(wanted, jwt)
    return { status: answer.status, headers: { 'content-type': contentType }, body }
  }

  async #reactTo(call: Mutable<DoubleCall>): Promise<DoubleReaction> {
    const { clock } = this.#options
    await clock.until(clock.monotonic() + this.#delayMs())
    if (this.#script === null) return await this.#ordinary(call)
    return await this.#script(call, () => this.#ordinary(call))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, fakeMint, bodyBytes } = this.#options
    const at = clock.monotonic()
    const body = await bodyOf(request, bodyBytes)
    this.#keptBytes += entryBytes + body.length
    // A backend that floods its mint is left without answers, and the suite with its memory.
    if (this.#keptBytes > mostKeptBytes) return void response.destroy()
    const json = parsedJson(body)
    const named = isRecord(json) ? json[user] : undefined
    const { method = '', url: target = '' } = request
    const call: Mutable<DoubleCall> = {
      method,
      target,
      headers: pairsOf(request.rawHeaders),
      body,
      json,
      arrivedAt: request.socket.localAddress ?? fakeMint.host,
      userId: typeof named === 'string' ? named : null,
      issued: null,
      isWaiting: false,
      exchange: '',
    }
    const isProbe = isHealthProbe(call, fakeMint.apiKey)
    ;(isProbe ? this.#probes : this.#calls).push(call)
    const reaction = isProbe ? { status: 200, body: '{"status":"ok"}' } : await this.#reactTo(call)
    call.exchange = this.#record(call, at, reaction)
    if (reaction === 'hang' || reaction === 'headers only') this.#keepWaiting(call, request, response)
    if (reaction === 'hang') return
    if (reaction === 'headers only')
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' }).flushHeaders()
    else if (reaction === 'reset') reset(request.socket)
    else
      response
        .writeHead(reaction.status, reaction.statusText, {
          'content-type': 'application/json',
          ...reaction.headers,
        })
        .end(reaction.body)
  }

  #record({ method, target, headers, body }: DoubleCall, at: number, reaction: DoubleReaction): string {
    const { journal } = this.#options
    return journal.record({
      kind: 'http',
      from: 'backend',
      to: 'mint-double',
      ...journal.timesFrom(at),
      request: { method, url: target, headers, body: beginningOf(body, recordedCharacters) },
      ...(typeof reaction === 'string'
        ? { failure: failures[reaction] }
        : {
            response: {
              status: reaction.status,
              statusText: reaction.statusText ?? '',
              headers: Object.entries(reaction.headers ?? {}),
              body: beginningOf(reaction.body, recordedCharacters),
            },
          }),
    })
  }

  #keepWaiting(call: Mutable<DoubleCall>, { socket }: IncomingMessage, response: ServerResponse): void {
    call.isWaiting = !response.destroyed
    if (call.isWaiting) this.#hanging.add(socket)
    response.once('close', () => {
      call.isWaiting = false
      this.#hanging.delete(socket)
    })
  }
}

export type MintDouble = Awaited<ReturnType<typeof startMintDouble>>

/** The suite's own mint, to which the backend under test has been pointed: it answers, records, and can be scripted. */
export async function startMintDouble(options: MintDoubleOptions) {
  const { fakeMint, issuer, certificate } = options
  const { tls, host, apiKey } = fakeMint
  const double = new ScriptedMint(options)
  const port = await double.listen()
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    /** The key that the backend under test was given. */
    apiKey,
    /** True where its tokens can be expected to work at the real signaling. */
    issuesRealTokens: issuer.real,
    /** The certificates that it can show instead of its own; none where it listens without TLS. */
    invalidCertificates: Object.keys((tls && certificate?.invalid) || {}) as (keyof InvalidCertificates)[],
    /** Other requests of the backend meet the script meanwhile. */
    scripted: <T>(run: (double: ScriptedMint) => Promise<T>): Promise<T> => double.scripted(run),
    isScripted: () => double.isScripted(),
    setDefaultShape(shape: BodyShape): void {
      double.defaultShape = shape
    },
    [Symbol.asyncDispose]: () => double.stop(),
  }
}

const failures = {
  hang: 'left without a response',
  'headers only': 'left without the body of the response',
  reset: 'connection closed',
} as const

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

function problem(status: number, message: string): DoubleAnswer {
  return { status, body: JSON.stringify({ error: { message } }) }
}

/** The specified call is a POST: what carries neither a key nor a body by another method asks for no token. */
function isHealthProbe({ method, target, headers, body }: DoubleCall, apiKey: string): boolean {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method) || body !== '') return false
  if (headers.some(([name]) => name.toLowerCase() === 'authorization')) return false
  return findSecret(JSON.stringify([target, headers]), apiKey) === null
}

/** A connection with TLS has no reset of its own: it ends without a close of TLS. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
