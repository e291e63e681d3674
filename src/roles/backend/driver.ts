import type { Redactor } from '../../base/evidence/redact.ts'
import { faultOfStatus } from '../../base/evidence/transport-fault.ts'
import type { Answer, HttpClient, Reply } from '../../base/http/client.ts'
import type { Headers } from '../../base/http/headers.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import type { Mutex } from '../../base/mutex.ts'
import { isRecord, readToken, tokensIn } from '../../base/tokens/decode.ts'
import { createTokenLikeness } from '../../base/tokens/token-likeness.ts'
import { issuedToken } from '../mint/driver.ts'
import type { BackendConfiguration, UserSession } from './types.ts'

/** What to change about a well-formed call of the customer's token route. */
export interface BackendRequest {
  /** The bearer session; `null` leaves the Authorization header out. By default alice's. */
  readonly session?: string | null
  /** The whole Authorization header instead of `Bearer` and the session. */
  readonly authorization?: string
  readonly method?: string
  readonly headers?: Headers
  /** By name, or as pairs where a name comes more than once. */
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  /** Sent as it is, with the content type; by default none. */
  readonly body?: { readonly text: string; readonly contentType: string }
  /** Appended to the route's path, with its own slash. */
  readonly pathSuffix?: string
  readonly deadlineMs?: number
  readonly followRedirects?: boolean
  /** Connects anew rather than reuse a connection. */
  readonly newConnection?: boolean
  /** The case of a requirement that it is sent for, as a noun. */
  readonly case?: string
}

/** The customer's token route as the app sees it. */
export interface Backend {
  readonly url: string
  readonly method: 'POST' | 'GET'
  /** The user that every backend must be given. */
  readonly alice: UserSession
  request(change?: BackendRequest): Promise<Reply>
  /** The token that the app would read: a string at `token` of a 2xx JSON object; `null` where it would fail. */
  tokenOf(reply: Reply): string | null
  /** Fetches a token as the app does; throws `ControlLost` when the backend gives none. */
  token(session?: UserSession): Promise<FetchedToken>
  /** A calling token anywhere in an answer that should have none, other than what the request carried. */
  issuedBy(reply: Reply): string | null
  /** A token that a control got: others of the service are alike. */
  learn(jwt: string): void
}

export interface FetchedToken {
  readonly jwt: string
  readonly userId: string
  readonly answer: Answer
  readonly exchange: string
}

export interface BackendOptions {
  readonly backend: BackendConfiguration
  readonly alice: UserSession
  readonly http: HttpClient
  readonly redactor: Redactor
  readonly mutex: Mutex
  /** Called with every success: a real mint has issued a token for it. */
  readonly onSuccess: () => void
}

export function createBackend({ backend, alice, http, redactor, mutex, onSuccess }: BackendOptions): Backend {
  const likeness = createTokenLikeness()
  const request = (change: BackendRequest = {}): Promise<Reply> => {
    const { method = backend.method, session = alice.token, body } = change
    const authorization = change.authorization ?? (session === null ? null : `Bearer ${session}`)
    const url = new URL(backend.url)
    if (change.pathSuffix !== undefined) url.pathname += change.pathSuffix
    for (const [name, value] of pairsOf(change.query ?? [])) url.searchParams.append(name, value)
    return mutex.runShared(async () => {
      const reply = await http.send({
        to: 'backend',
        method,
        url: url.href,
        headers: [
          ...(authorization === null ? [] : [['authorization', authorization] as const]),
          ['accept', 'application/json'],
          ...(body === undefined ? [] : [['content-type', body.contentType] as const]),
          ...(change.headers ?? []),
        ],
        ...(body === undefined ? {} : { body: body.text }),
        ...(change.deadlineMs === undefined ? {} : { deadlineMs: change.deadlineMs }),
        followRedirects: change.followRedirects ?? false,
        newConnection: change.newConnection ?? false,
        ...(change.case === undefined ? {} : { case: change.case }),
      })
      if (reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299) onSuccess()
      if (reply.kind === 'answer')
        for (const jwt of tokensIn(reply.body)) redactor.register('calling-jwt', jwt)
      const token = tokenOf(reply)
      if (token !== null) redactor.register('calling-jwt', token)
      return reply
    })
  }

  const tokenOf = (reply: Reply): string | null => {
    if (reply.kind === 'no-answer' || reply.status < 200 || reply.status > 299) return null
    const token = isRecord(reply.json) ? reply.json['token'] : undefined
    return typeof token === 'string' && token !== '' ? token : null
  }

  return {
    url: backend.url,
    method: backend.method,
    alice,
    request,
    tokenOf,
    async token(session = alice) {
      const ask = () => request({ session: session.token, followRedirects: true })
      const first = await ask()
      // A busy machine or a balancer on its way: what is no fault of the session is asked once more.
      const reply = isFault(first) ? await ask() : first
      if (reply.kind === 'no-answer')
        throw new ControlLost(`the backend ${reply.message}, requested with a valid session`, [
          reply.exchange,
        ])
      const jwt = tokenOf(reply)
      if (jwt === null)
        throw new ControlLost(`the backend returned ${reply.status} without a token for a valid session`, [
          reply.exchange,
        ])
      likeness.learn(jwt)
      return { jwt, userId: session.userId, answer: reply, exchange: reply.exchange }
    },
    learn: likeness.learn,
    issuedBy(reply) {
      if (reply.kind === 'no-answer') return null
      const opaque = tokenOf(reply)
      return (
        issuedToken(reply, likeness) ??
        (opaque !== null && readToken(opaque) === null && !reply.sent.includes(opaque) ? opaque : null)
      )
    },
  }
}

function isFault(reply: Reply): boolean {
  return reply.kind === 'no-answer' || faultOfStatus(reply.status) !== null
}

function pairsOf(query: NonNullable<BackendRequest['query']>): readonly (readonly [string, string])[] {
  return Array.isArray(query) ? query : Object.entries(query)
}
