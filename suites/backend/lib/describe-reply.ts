import type { Reply } from '../../../src/base/http/client.ts'

/** A response, or why none came; completes "the backend …". */
export function describeReply(reply: Reply): string {
  return reply.kind === 'no-answer' ? reply.message : `answered ${reply.status}`
}

/** A response, or why none came; completes "saw …". */
export function showReply(reply: Reply): string {
  return reply.kind === 'no-answer' ? `no response: the backend ${reply.message}` : `status ${reply.status}`
}

/** Completes the reason for what a rate limit has prevented. */
export const paceHint = ': set limits.pace.backend to what its rate limit allows'

/** Clause 4.2 asks for a response with a status other than 2xx. */
export function isFailure(reply: Reply): boolean {
  return reply.kind === 'answer' && (reply.status < 200 || reply.status > 299)
}

/** No decision about the request: no response, a rate limit, a gateway without its upstream, or an overload. */
export function isOverload(reply: Reply): boolean {
  return reply.kind === 'no-answer' || [429, 502, 503, 504].includes(reply.status)
}

/** No response came within the deadline. */
export function isSilent(reply: Reply): boolean {
  return reply.kind === 'no-answer' && reply.failure === 'timeout'
}
