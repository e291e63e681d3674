import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpExchange } from '../../base/evidence/exchange.ts'
import { pairsOf } from '../../base/http/incoming.ts'
import { corsHeaders, isPreflight } from './cors.ts'
import type { DoubleContext } from './double-context.ts'
import type { BackendAnswer, BackendCall, BackendDouble, BackendReaction, BackendScript } from './types.ts'

export interface ServingBackend extends BackendDouble {
  serve(url: URL, request: IncomingMessage, response: ServerResponse, body: string): Promise<void>
  /** Records what is still unanswered. */
  end(): void
}

/** Why a call has no response. */
type Lost = Pick<HttpExchange, 'failure' | 'fault'>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const usualLifetimeSeconds = 900

export function createBackendDouble(context: DoubleContext): ServingBackend {
  const { recorder, changeSignal, tokenIssuer } = context
  const calls: Mutable<BackendCall>[] = []
  const unrecorded = new Set<Mutable<BackendCall>>()
  let script: BackendScript | null = null
  let lifetimeSeconds = usualLifetimeSeconds

  const ordinary = async (call: Mutable<BackendCall>, userId?: string): Promise<BackendAnswer> => {
    const token = await tokenIssuer.issue(userId ?? context.userOf(call.bearer), lifetimeSeconds)
    call.issued = token
    return { status: 200, body: JSON.stringify({ token }) }
  }

  const record = (call: BackendCall, answer?: BackendAnswer, lost: Lost = {}) => {
    if (!unrecorded.delete(call)) return
    const response = answer && { status: answer.status, headers: pairsFrom(answer), body: answer.body }
    recorder.recordHttp(call.exchange, {
      to: 'backend-double',
      ...call,
      ...(response && { response }),
      ...lost,
    })
  }

  const give = (call: Mutable<BackendCall>, request: IncomingMessage, response: ServerResponse) => {
    let isWithheld = script !== null
    response.once('close', () => {
      if (response.writableFinished) return
      call.givenUpAt = recorder.now()
      record(call, undefined, {
        failure: 'cancelled by the client before the response',
        ...(!isWithheld && { fault: 'did not answer before the client gave up' }),
      })
      changeSignal.notify()
    })
    return (reaction: BackendReaction) => {
      isWithheld = reaction === 'hang'
      if (reaction === 'hang') return
      if (reaction === 'reset') {
        record(call, undefined, { failure: 'connection cut' })
        request.socket.destroy()
        return
      }
      if (call.givenUpAt !== null) return
      call.status = reaction.status
      record(call, reaction)
      response.writeHead(reaction.status, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        ...corsHeaders(request),
        ...reaction.headers,
      })
      response.end(reaction.body)
    }
  }

  return {
    calls: () => calls,
    answer(next) {
      script = next
    },
    lifetime(seconds) {
      lifetimeSeconds = seconds
    },
    hold(held, isHeld) {
      const call = calls.find((one) => one === held)
      if (call !== undefined) call.isHeld = isHeld
    },
    async serve(url, request, response, body) {
      if (isPreflight(request)) {
        response.writeHead(204, corsHeaders(request)).end()
        return
      }
      const headers = pairsOf(request.rawHeaders)
      const authorization = headers.find(([name]) => name === 'authorization')?.[1] ?? ''
      const bearer = /^bearer +(.+)$/i.exec(authorization)?.[1]?.trim() ?? null
      if (bearer !== null) context.learnSession(bearer)
      const call: Mutable<BackendCall> = {
        at: recorder.now(),
        clientAt: context.clientNow(),
        method: request.method ?? '',
        url: url.href,
        headers,
        body,
        bearer,
        status: null,
        issued: null,
        givenUpAt: null,
        isHeld: false,
        exchange: recorder.begin(),
      }
      calls.push(call)
      unrecorded.add(call)
      const answer = give(call, request, response)
      changeSignal.notify()
      answer(await (script === null ? ordinary(call) : script(call, (userId) => ordinary(call, userId))))
      changeSignal.notify()
    },
    end() {
      for (const call of [...unrecorded]) record(call, undefined, { failure: 'left without a response' })
    },
  }
}

function pairsFrom({ headers = {} }: BackendAnswer) {
  return Object.entries(headers)
}
