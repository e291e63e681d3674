import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpExchange } from '../../../base/evidence/exchange.ts'
import { bearerOf } from '../../../base/http/headers.ts'
import { pairsOf } from '../../../base/http/incoming.ts'
import { corsHeaders, isPreflight } from '../proxy/cors.ts'
import type { BackendAnswer, BackendCall, BackendDouble, BackendReaction, BackendScript } from '../types.ts'
import type { DoubleContext } from './double-context.ts'
import type { Mutable } from './serving-signaling.ts'

export interface ServingBackend extends BackendDouble {
  serve(url: URL, request: IncomingMessage, response: ServerResponse, body: string): Promise<void>
  /** A call of this address that the client began so long ago is given up, though it was answered. */
  noteGivenUp(url: string, ageMs: number): void
  /** Records what is still unanswered. */
  end(): void
}

/** A call that is given up sooner is so for another reason than a wait: the app has changed its mind. */
const shortestWaitMs = 1000

/** Why a call has no response. */
type Lost = Pick<HttpExchange, 'failure' | 'fault'>

const usualLifetimeSeconds = 900

interface Double {
  readonly context: DoubleContext
  readonly calls: Mutable<BackendCall>[]
  readonly unrecorded: Set<Mutable<BackendCall>>
  script: BackendScript | null
  lifetimeSeconds: number
}

export function createBackendDouble(context: DoubleContext): ServingBackend {
  const double: Double = {
    context,
    calls: [],
    unrecorded: new Set(),
    script: null,
    lifetimeSeconds: usualLifetimeSeconds,
  }
  return {
    calls: () => double.calls,
    answer(next) {
      double.script = next
    },
    lifetime(seconds) {
      double.lifetimeSeconds = seconds
    },
    serve: (url, request, response, body) => serve(double, url, request, response, body),
    noteGivenUp: (url, ageMs) => noteGivenUp(double, url, ageMs),
    end() {
      for (const call of [...double.unrecorded])
        record(double, call, undefined, { failure: 'left without a response' })
    },
  }
}

async function serve(
  double: Double,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  if (isPreflight(request)) {
    response.writeHead(204, corsHeaders(request)).end()
    return
  }
  const headers = pairsOf(request.rawHeaders)
  const bearer = bearerOf(headers)?.trim() ?? null
  if (bearer !== null) double.context.learnSession(bearer)
  const call: Mutable<BackendCall> = {
    at: double.context.recorder.now(),
    clientAt: double.context.clientNow(),
    method: request.method ?? '',
    url: url.href,
    headers,
    body,
    bearer,
    status: null,
    issued: null,
    givenUpAt: null,
    exchange: double.context.recorder.begin(),
  }
  double.calls.push(call)
  double.unrecorded.add(call)
  const answer = give(double, call, request, response)
  double.context.changeSignal.notify()
  answer(
    await (double.script === null
      ? ordinary(double, call)
      : double.script(call, (userId) => ordinary(double, call, userId))),
  )
  double.context.changeSignal.notify()
}

async function ordinary(double: Double, call: Mutable<BackendCall>, userId?: string): Promise<BackendAnswer> {
  const token = await double.context.tokenIssuer.issue(
    userId ?? double.context.userOf(call.bearer),
    double.lifetimeSeconds,
  )
  call.issued = token
  return { status: 200, body: JSON.stringify({ token }) }
}

function record(double: Double, call: BackendCall, answer?: BackendAnswer, lost: Lost = {}) {
  if (!double.unrecorded.delete(call)) return
  const response = answer && { ...answer, headers: Object.entries(answer.headers ?? {}) }
  double.context.recorder.recordHttp(call.exchange, {
    to: 'backend-double',
    ...call,
    response,
    ...lost,
  })
}

function noteGivenUp({ calls, context }: Double, url: string, ageMs: number) {
  if (ageMs < shortestWaitMs) return
  const now = context.recorder.now()
  const call = calls.findLast((one) => one.url === url && one.status !== null)
  if (call === undefined) return
  call.givenUpAt ??= now
  context.recorder.noteFault(call.exchange, {
    from: 'client',
    to: 'backend-double',
    fault: 'gave an answer that the client did not wait for',
  })
}

function give(
  double: Double,
  call: Mutable<BackendCall>,
  request: IncomingMessage,
  response: ServerResponse,
) {
  let isWithheld = double.script !== null
  response.once('close', () => {
    if (response.writableFinished) return
    const now = double.context.recorder.now()
    call.givenUpAt = now
    const isFault = !isWithheld && now - call.at >= shortestWaitMs
    record(double, call, undefined, {
      failure: 'cancelled by the client before the response',
      fault: isFault ? 'did not answer before the client gave up' : undefined,
    })
    double.context.changeSignal.notify()
  })
  return (reaction: BackendReaction) => {
    isWithheld = reaction === 'hang'
    if (reaction === 'hang') return
    if (reaction === 'reset') {
      record(double, call, undefined, { failure: 'connection cut' })
      request.socket.destroy()
      return
    }
    if (call.givenUpAt !== null) return
    call.status = reaction.status
    record(double, call, reaction)
    response.writeHead(reaction.status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...corsHeaders(request),
      ...reaction.headers,
    })
    response.end(reaction.body)
  }
}
