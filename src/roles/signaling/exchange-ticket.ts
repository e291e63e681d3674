import { query } from 'jsonpath-rfc9535'
import type { Secrets } from '../../base/evidence/secrets.ts'
import type { HttpClient, Reply } from '../../base/http/client.ts'
import { unavailableByFailure } from '../../base/http/failure.ts'
import type { SignalingEvent } from './event-log.ts'
import type { TicketExchange } from './profile.ts'

/** A ticket, or what came instead of one, as an event of the attempt that it was for. */
export type ExchangedTicket =
  | { readonly ticket: string }
  | { readonly refusal: SignalingEvent; readonly exchange: string; readonly unreachable: boolean }

/** Exchanges a calling token for a ticket; a response other than 2xx is the service's decision about that token. */
export async function exchangeTicket(
  { url, method, header, token: path }: TicketExchange,
  {
    jwt,
    deadlineMs,
    case: of,
  }: { readonly jwt: string; readonly deadlineMs: number; readonly case?: string | undefined },
  { http, secrets }: { readonly http: HttpClient; readonly secrets: Secrets },
): Promise<ExchangedTicket> {
  const value = header.toLowerCase() === 'authorization' ? `Bearer ${jwt}` : jwt
  const headers = [[header, value] as const]
  const reply = await http.send({
    to: 'signaling',
    method,
    url,
    headers,
    deadlineMs,
    newConnection: true,
    case: of,
  })
  const ticket = reply.kind === 'answer' && isSuccess(reply.status) ? findText(reply.json, path) : null
  if (ticket !== null) return { ticket: secrets.learn('secret', ticket) }
  const unreachable = reply.kind === 'no-answer' && ['refused', 'name', 'tls'].includes(reply.failure)
  return {
    refusal: { at: reply.receivedAt, ...eventOf(reply, path) },
    exchange: reply.exchange,
    unreachable,
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

function findText(json: unknown, path: string): string | null {
  if (json === undefined) return null
  const found = query(json as Parameters<typeof query>[0], path).find((value) => typeof value === 'string')
  return typeof found === 'string' && found !== '' ? found : null
}
