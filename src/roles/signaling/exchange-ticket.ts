import type { Clock } from '../../base/clock.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import type { HttpClient, Reply } from '../../base/http/client.ts'
import { unavailableByFailure } from '../../base/http/failure.ts'
import { textAt } from '../../base/tokens/json-paths.ts'
import type { AttemptRequest, Refused } from './attempt.ts'
import { refusedBy } from './decide-outcome.ts'
import type { SignalingEvent } from './event-log.ts'
import { codecOf } from './message-codec.ts'
import type { SignalingProfile } from './profile.ts'
import { findSign } from './signs.ts'

interface Exchanging {
  readonly http: HttpClient
  readonly profile: SignalingProfile
  readonly clock: Clock
  readonly secrets: Secrets
}

/** The request with a ticket in place of its token, or how it ended: other statuses than 2xx reject the token. */
export async function exchangeToken(
  asked: AttemptRequest,
  { http, profile, clock, secrets }: Exchanging,
): Promise<AttemptRequest | Refused> {
  const { token, case: of, deadlineMs = profile.timeoutMs } = asked
  if (token === null || profile.ticket === undefined) return asked
  const { url, method, header, token: path } = profile.ticket
  const startedAt = clock.monotonic()
  const value = header.toLowerCase() === 'authorization' ? `Bearer ${token}` : token
  const headers = [[header, value] as const]
  const request = { method, url, headers, deadlineMs, newConnection: true, case: of }
  const reply = await http.send({ to: 'signaling', ...request })
  const ticket = reply.kind === 'answer' && isSuccess(reply.status) ? textAt(reply.json, path) : null
  if (ticket !== null) return { ...asked, token: secrets.learn('secret', ticket) }
  const refusal = { at: reply.receivedAt, ...eventOf(reply, path) }
  const codec = codecOf(profile)
  return {
    ...refusedBy(refusal, findSign(profile.failure, refusal, codec)),
    exchange: reply.exchange,
    events: [refusal],
    unauthorized: findSign(profile.unauthorized, refusal, codec) !== undefined,
    unreachable: reply.kind === 'no-answer' && ['refused', 'name', 'tls'].includes(reply.failure),
    startedAt,
  }
}

function eventOf(reply: Reply, path: string): Omit<SignalingEvent, 'at'> {
  if (reply.kind === 'no-answer')
    return { type: 'error', text: reply.message, unavailable: unavailableByFailure[reply.failure] }
  const { status, statusText, body } = reply
  if (isSuccess(status))
    return { type: 'error', text: `answered ${status} to the exchange, without a ticket at ${path}` }
  return { type: 'http', code: status, text: `${status} ${statusText}\n${body}` }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
