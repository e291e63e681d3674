import type { IncomingMessage, ServerResponse } from 'node:http'
import { pairsOf } from '../../base/http/incoming.ts'
import type { Ground } from './client-context.ts'
import { allowFrom, isPreflight } from './cors.ts'
import type {
  BackendAnswer,
  BackendCall,
  BackendDouble,
  BackendReaction,
  BackendScript,
} from './double-types.ts'

export interface ServingBackend extends BackendDouble {
  serve(url: URL, request: IncomingMessage, response: ServerResponse, body: string): Promise<void>
  /** Records what is still unanswered. */
  end(): void
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const usualLifetimeSeconds = 900

export function createBackendDouble(ground: Ground): ServingBackend {
  const { timeline, bell, issuing } = ground
  const calls: Mutable<BackendCall>[] = []
  const unrecorded = new Set<Mutable<BackendCall>>()
  let script: BackendScript | null = null
  let lifetimeSeconds = usualLifetimeSeconds

  const ordinary = async (call: Mutable<BackendCall>, userId?: string): Promise<BackendAnswer> => {
    const token = await issuing.issue(userId ?? ground.userOf(call.bearer), lifetimeSeconds)
    call.issued = token
    return { status: 200, body: JSON.stringify({ token }) }
  }

  const record = (call: BackendCall, answer?: BackendAnswer, failure?: string) => {
    if (!unrecorded.delete(call)) return
    const response = answer && { status: answer.status, headers: pairsFrom(answer), body: answer.body }
    timeline.http(call.exchange, {
      to: 'backend-double',
      ...call,
      ...(response && { response }),
      ...(failure !== undefined && { failure }),
    })
  }

  const give = (call: Mutable<BackendCall>, request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => {
      if (response.writableFinished) return
      call.givenUpAt = timeline.now()
      record(call, undefined, 'given up by the client before it was answered')
      bell.ring()
    })
    return (reaction: BackendReaction) => {
      if (reaction === 'hang') return
      if (reaction === 'reset') {
        record(call, undefined, 'connection cut')
        request.socket.destroy()
        return
      }
      if (call.givenUpAt !== null) return
      call.status = reaction.status
      record(call, reaction)
      response.writeHead(reaction.status, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        ...allowFrom(request),
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
    async serve(url, request, response, body) {
      if (isPreflight(request)) {
        response.writeHead(204, allowFrom(request)).end()
        return
      }
      const headers = pairsOf(request.rawHeaders)
      const authorization = headers.find(([name]) => name === 'authorization')?.[1] ?? ''
      const bearer = /^bearer +(.+)$/i.exec(authorization)?.[1]?.trim() ?? null
      if (bearer !== null) ground.learnSession(bearer)
      const call: Mutable<BackendCall> = {
        at: timeline.now(),
        clientAt: ground.clientNow(),
        method: request.method ?? '',
        url: url.href,
        headers,
        body,
        bearer,
        status: null,
        issued: null,
        givenUpAt: null,
        exchange: timeline.begin(),
      }
      calls.push(call)
      unrecorded.add(call)
      const answer = give(call, request, response)
      bell.ring()
      answer(await (script === null ? ordinary(call) : script(call, (userId) => ordinary(call, userId))))
      bell.ring()
    },
    end() {
      for (const call of [...unrecorded]) record(call, undefined, 'left without an answer')
    },
  }
}

function pairsFrom({ headers = {} }: BackendAnswer) {
  return Object.entries(headers)
}
