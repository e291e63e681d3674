import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { beginningOf, type Journal } from '../../base/evidence/exchange.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import { findSecret } from '../../base/find-secret/find-secret.ts'
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
  readonly headers: readonly (readonly [name: string, value: string])[]
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

export interface ScriptedMint {
  /** The calls since then, in the order of their arrival; health probes are none. */
  calls(): readonly DoubleCall[]
  /** Requests without a key and a body, as a backend sends to see whether the mint is up. Answered with 200, unscripted. */
  probes(): readonly DoubleCall[]
  answer(script: DoubleScript | null): void
  /** Lets every answer wait for so many milliseconds. It stays the ordinary one, so that no failure is due to the double. */
  delay(next: () => number): void
  /** Puts every token into this body shape; `null` goes back to the shape that the backend is known to understand. */
  shape(shape: BodyShape | null): void
  /** Grants this lifetime whatever is asked; `null` honours the request. */
  lifetime(seconds: number | null): void
  /** Ends the connections of calls that were left without an answer. */
  endHanging(): void
  /** Refuses connections until disposed of. */
  refuseConnections(): Promise<AsyncDisposable>
  /** Ends every connection, and shows later ones this certificate where it has it; `null`: the valid one. */
  showCertificate(name: keyof InvalidCertificates | null): void
  /** Connections since then, of which a request need not have come. */
  connections(): number
  /** Another origin than the double's own, at the same host and by the same protocol. */
  openSecondOrigin(): Promise<SecondOrigin>
}

export interface MintDouble extends AsyncDisposable {
  readonly url: string
  /** The key that the backend under test was given. */
  readonly apiKey: string
  /** True where its tokens can be expected to work at the real signaling. */
  readonly issuesRealTokens: boolean
  /** The certificates that it can show instead of its own; none where it listens without TLS. */
  readonly invalidCertificates: readonly (keyof InvalidCertificates)[]
  /** It forgets the calls before, and all that it was told when `run` ends. Who asks the backend meanwhile meets the script. */
  scripted<T>(run: (double: ScriptedMint) => Promise<T>): Promise<T>
  isScripted(): boolean
  /** The body shape of the tokens when no check says otherwise. */
  setDefaultShape(shape: BodyShape): void
}

export interface MintDoubleOptions {
  readonly fakeMint: FakeMintConfiguration
  readonly issuer: DoubleIssuer
  readonly journal: Journal
  readonly secrets: Secrets
  readonly clock: Clock
  /** The monotonic instant that recorded times count from; now where absent. */
  readonly runStart?: number
  readonly bodyBytes: number
  readonly certificate?: (ServerCertificate & { readonly invalid?: InvalidCertificates }) | undefined
}

/** Bound for the calls of one script; each also counts as an entry. */
const mostKeptBytes = 64 * 1_048_576
const entryBytes = 4096

/** A double as it is at a moment: scripts change it. */
class DoubleState {
  readonly options: MintDoubleOptions
  readonly runStart: number
  readonly certificate: MintDoubleOptions['certificate']
  readonly server: Server
  readonly secureServer: ReturnType<typeof createTlsServer> | null
  readonly sockets = new Set<Socket>()
  /** Connections of calls that are left without an answer. */
  readonly hanging = new Set<Socket>()
  /** Known once it listens. */
  port = 0
  /** Null while connections are refused. */
  listening: Listening | null = null
  calls: Mutable<DoubleCall>[] = []
  probes: Mutable<DoubleCall>[] = []
  script: DoubleScript | null = null
  delayMs = () => 0
  shape: BodyShape | null = null
  defaultShape: BodyShape | null = null
  lifetime: number | null = null
  keptBytes = 0
  connected = 0
  isCertificateChanged = false

  constructor(options: MintDoubleOptions) {
    const { fakeMint, certificate, clock, runStart = clock.monotonic() } = options
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      handle(this, request, response).catch(() => response.destroy())
    }
    this.options = options
    this.runStart = runStart
    this.certificate = fakeMint.tls ? certificate : undefined
    this.secureServer = this.certificate === undefined ? null : createTlsServer(this.certificate, listener)
    this.server = this.secureServer ?? createServer(listener)
    this.server.on('connection', (socket: Socket) => {
      this.connected += 1
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
  }
}

/** The suite's own mint, to which the backend under test has been pointed: it answers, records, and can be scripted. */
export async function startMintDouble(options: MintDoubleOptions): Promise<MintDouble> {
  const { fakeMint, issuer } = options
  const double = new DoubleState(options)
  double.listening = await listen(double.server, fakeMint.host, fakeMint.port)
  const { port } = double.listening
  double.port = port
  const scripted = createScripted(double)

  return {
    url: `${fakeMint.tls ? 'https' : 'http'}://${fakeMint.host.includes(':') ? `[${fakeMint.host}]` : fakeMint.host}:${port}`,
    apiKey: fakeMint.apiKey,
    issuesRealTokens: issuer.real,
    invalidCertificates: Object.keys(double.certificate?.invalid ?? {}) as (keyof InvalidCertificates)[],
    isScripted: () => double.script !== null || double.listening === null || double.isCertificateChanged,
    setDefaultShape(next) {
      double.defaultShape = next
    },
    scripted: (run) => asScripted(double, scripted, run),
    [Symbol.asyncDispose]: () => stop(double),
  }
}

function createScripted(double: DoubleState): ScriptedMint {
  const { fakeMint, journal, clock, bodyBytes } = double.options
  return {
    calls: () => double.calls,
    probes: () => double.probes,
    answer(next) {
      double.script = next
    },
    delay(next) {
      double.delayMs = next
    },
    shape(next) {
      double.shape = next
    },
    lifetime(seconds) {
      double.lifetime = seconds
    },
    endHanging() {
      for (const socket of double.hanging) socket.destroy()
    },
    async refuseConnections() {
      await stop(double)
      return {
        [Symbol.asyncDispose]: async () => {
          double.listening = await listen(double.server, fakeMint.host, double.port)
        },
      }
    },
    showCertificate(name) {
      showCertificate(double, name === null ? double.certificate : double.certificate?.invalid?.[name])
      double.isCertificateChanged = name !== null
    },
    connections: () => double.connected,
    openSecondOrigin: () =>
      startSecondOrigin({
        host: fakeMint.host,
        certificate: double.certificate,
        journal,
        clock,
        runStart: double.runStart,
        bodyBytes,
      }),
  }
}

const { user } = mintContract.request

async function ordinary(double: DoubleState, call: Mutable<DoubleCall>): Promise<DoubleAnswer> {
  if (call.method !== mintContract.method)
    return problem(405, `this endpoint requires ${mintContract.method}`)
  if (bearerOf(call) !== double.options.fakeMint.apiKey)
    return problem(mintContract.refusals.unknownKey, 'unknown API key')
  if (call.userId === null)
    return problem(mintContract.refusals.noUser, `${user} is required and must be a string`)
  const { answer, jwt } = await double.options.issuer.issue(call, double.lifetime)
  if (jwt === null) return answer
  double.options.secrets.learn('calling-jwt', jwt)
  call.issued = jwt
  const wanted = double.shape ?? double.defaultShape
  if (wanted === null) return answer
  const { contentType, body } = shapeBody(wanted, jwt)
  return { status: answer.status, headers: { 'content-type': contentType }, body }
}

async function reactTo(
  double: DoubleState,
  call: Mutable<DoubleCall>,
  isProbe: boolean,
): Promise<DoubleReaction> {
  if (isProbe) return { status: 200, body: '{"status":"ok"}' }
  await double.options.clock.until(double.options.clock.monotonic() + double.delayMs())
  return double.script === null
    ? await ordinary(double, call)
    : await double.script(call, () => ordinary(double, call))
}

async function handle(
  double: DoubleState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { clock, journal, fakeMint, bodyBytes } = double.options
  const at = clock.monotonic()
  const body = await bodyOf(request, bodyBytes)
  double.keptBytes += entryBytes + body.length
  // A backend that floods its mint is left without answers, and the suite with its memory.
  if (double.keptBytes > mostKeptBytes) return void response.destroy()
  const headers = pairsOf(request.rawHeaders)
  const json = parsedJson(body)
  const named = isRecord(json) ? json[user] : undefined
  const userId = typeof named === 'string' ? named : null
  const { method = '', url: target = '' } = request
  const call: Mutable<DoubleCall> = {
    method,
    target,
    headers,
    body,
    json,
    arrivedAt: request.socket.localAddress ?? fakeMint.host,
    userId,
    issued: null,
    isWaiting: false,
    exchange: '',
  }
  const isProbe = isHealthProbe(call, fakeMint.apiKey)
  ;(isProbe ? double.probes : double.calls).push(call)
  const reaction = await reactTo(double, call, isProbe)
  call.exchange = journal.record({
    kind: 'http',
    from: 'backend',
    to: 'mint-double',
    at: Math.round(at - double.runStart),
    durationMs: Math.round(clock.monotonic() - at),
    request: {
      method,
      url: target,
      headers,
      body: beginningOf(body, recordedCharacters),
    },
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
  if (reaction === 'hang' || reaction === 'headers only') {
    call.isWaiting = !response.destroyed
    const { socket } = request
    if (call.isWaiting) double.hanging.add(socket)
    response.once('close', () => {
      call.isWaiting = false
      double.hanging.delete(socket)
    })
  }
  if (reaction === 'hang') return
  if (reaction === 'headers only') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' }).flushHeaders()
    return
  }
  if (reaction === 'reset') {
    reset(request.socket)
    return
  }
  response.writeHead(reaction.status, reaction.statusText, {
    'content-type': 'application/json',
    ...reaction.headers,
  })
  response.end(reaction.body)
}

function showCertificate(double: DoubleState, shown: ServerCertificate | undefined) {
  if (double.secureServer === null || shown === undefined) return
  // A new context has new ticket keys, so that no session of the old one is resumed.
  double.secureServer.setSecureContext(shown)
  // Also those in mid-handshake, which the server does not count yet: they were shown the certificate before.
  for (const socket of double.sockets) socket.destroy()
}

async function stop(double: DoubleState) {
  await double.listening?.[Symbol.asyncDispose]()
  double.listening = null
}

async function asScripted<T>(
  double: DoubleState,
  scripted: ScriptedMint,
  run: (double: ScriptedMint) => Promise<T>,
): Promise<T> {
  double.calls = []
  double.probes = []
  double.keptBytes = 0
  double.connected = 0
  try {
    return await run(scripted)
  } finally {
    double.script = null
    double.delayMs = () => 0
    double.shape = null
    double.lifetime = null
    if (double.isCertificateChanged) scripted.showCertificate(null)
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

function bearerOf(call: DoubleCall): string | null {
  const value = call.headers.find(([name]) => name === 'authorization')?.[1]
  return /^bearer +(.+)$/i.exec(value ?? '')?.[1] ?? null
}

/** A connection with TLS has no reset of its own: it ends without a close of TLS. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
