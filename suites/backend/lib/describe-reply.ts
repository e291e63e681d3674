import type { Reply } from '../../../src/base/http/client.ts'
import { isRecord } from '../../../src/base/tokens/decode.ts'
import type { Judge } from '../../../src/requirement/judge.ts'

/** A response, or why none came; completes "the backend …". */
export function describeReply(reply: Reply): string {
  return reply.kind === 'no-answer' ? reply.message : `answered ${reply.status}`
}

/** A response, or why none came; completes "saw …". */
export function showReply(reply: Reply): string {
  return reply.kind === 'no-answer' ? `no response: the backend ${reply.message}` : `status ${reply.status}`
}

export function isSuccess(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299
}

/** Clause 4.2 asks for a response with a status other than 2xx. */
export function isFailure(reply: Reply): boolean {
  return reply.kind === 'answer' && !isSuccess(reply)
}

/** A decision of the service, and no fault, no limit and no silence. */
export function isRejection(reply: Reply): reply is Reply & { readonly kind: 'answer' } {
  return reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.status !== 429
}

/** Clause 7.2 asks for a JSON object with a string "error". */
export function hasErrorText(reply: Reply): boolean {
  return reply.kind === 'answer' && isRecord(reply.json) && typeof reply.json['error'] === 'string'
}

/** FastAPI and Django's REST framework write every error so. */
export function hasDetail(reply: Reply): boolean {
  return reply.kind === 'answer' && isRecord(reply.json) && typeof reply.json['detail'] === 'string'
}

/** No decision about the request: no response, a rate limit, a gateway without its upstream, or an overload. */
export function isOverload(reply: Reply): boolean {
  return reply.kind === 'no-answer' || [429, 502, 503, 504].includes(reply.status)
}

export function isSilent(reply: Reply): boolean {
  return reply.kind === 'no-answer' && reply.failure === 'timeout'
}

/**
 * Leaves a request undecided that met silence: nothing bad was seen, since nothing was. Returns whether it did.
 * @param when ends the sentence: "for a request with …", "when the mint …"
 */
export function leaveUndecided(judge: Judge, reply: Reply, when: string): boolean {
  if (!isSilent(reply)) return false
  judge.undecided(`no response ${when}`, [reply.exchange])
  return true
}
