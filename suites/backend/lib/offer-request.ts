import type { Reply } from '../../../src/base/http/client.ts'
import { ControlLost } from '../../../src/base/inconclusive.ts'
import { assertTokenField, type Backend, type BackendRequest } from '../../../src/roles/backend/driver.ts'
import { describeReply, isOverload, isSuccess, paceHint } from './describe-reply.ts'

/** The outcome of a request that should be rejected. */
export interface Offered {
  /** The rejection: before a redirect to a page, or after one to another address of the route. */
  readonly reply: Reply
  readonly hasToken: boolean
  /** Neither a token nor a rejection: no response, a rate limit, or an overload. */
  readonly isUndecided: boolean
}

/** A redirect to a login page is a rejection, whatever the status of that page; one to the route itself is not. */
export async function offerRequest(backend: Backend, request: BackendRequest): Promise<Offered> {
  const first = await backend.request(request)
  const isRedirect = first.kind === 'answer' && first.status >= 300 && first.status <= 399
  const end = isRedirect ? await backend.request({ ...request, followRedirects: true }) : first
  const hasToken = [first, end].some((reply) => backend.issuedBy(reply) !== null)
  const reply = isSuccess(end) ? first : end
  return { reply, hasToken, isUndecided: !hasToken && isOverload(reply) }
}

/** A control: the request must get a token; one that met an overload is sent once more when an ordinary one is served. */
export async function mustGetToken(
  backend: Backend,
  request: BackendRequest,
  whose: string,
): Promise<string> {
  const ask = () => backend.request({ ...request, followRedirects: true })
  const first = await ask()
  // A circuit breaker, or a gateway, that a failure has opened is waited out.
  if (isOverload(first)) await backend.token()
  const reply = isOverload(first) ? await ask() : first
  // A backend that echoes returns what it was sent.
  const token = backend.issuedBy(reply) === null ? null : backend.tokenOf(reply)
  if (token === null && !backend.hasServed(backend.alice)) assertTokenField(reply)
  // Where every session is rejected for a while, this control waits, and the requirement is judged again.
  if (token === null && reply.kind === 'answer' && [401, 403].includes(reply.status)) await backend.token()
  if (token === null)
    throw new ControlLost(`the backend ${describeReply(reply)}, with no token for ${whose}${hintAt(reply)}`, [
      reply.exchange,
    ])
  backend.learn(token)
  return token
}

function hintAt(reply: Reply): string {
  if (reply.kind === 'no-answer') return ''
  if (reply.status === 429) return paceHint
  return reply.status === 403
    ? ': if it blocks all clients for a while after rejected sessions, set limits.pace.backend'
    : ''
}
