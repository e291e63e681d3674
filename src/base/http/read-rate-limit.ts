import type { Answer, Reply } from './client.ts'
import { headerOf } from './headers.ts'
import { away, retryAfterSeconds, type TooSoon } from './limiter.ts'

/** The wait for which a rate limit asks; `null` for any other answer. A page of 503 is of nginx, JSON of the service itself. */
export function readRateLimit(reply: Reply): TooSoon | null {
  if (reply.kind === 'no-answer' || (reply.status !== 429 && reply.status !== 503)) return null
  const after = headerOf(reply.headers, 'retry-after')
  if (reply.status === 503 && after === undefined && !isPageOfGateway(reply)) return null
  return { seconds: retryAfterSeconds(after), isSure: reply.status === 429 }
}

/** A connection that is refused: what was sent can be sent again. */
export function readAbsence(reply: Reply): TooSoon | null {
  return reply.kind === 'no-answer' && reply.failure === 'refused' ? away : null
}

/** Both: what says nothing about the request. */
export function readUnserved(reply: Reply): TooSoon | null {
  return readAbsence(reply) ?? readRateLimit(reply)
}

/** HEAD is answered with the headers of a page alone. */
function isPageOfGateway({ body, headers }: Pick<Answer, 'body' | 'headers'>): boolean {
  if (body === '') return headerOf(headers, 'content-type')?.toLowerCase().startsWith('text/html') === true
  return /^\s*<(?:!doctype|html)/i.test(body)
}
