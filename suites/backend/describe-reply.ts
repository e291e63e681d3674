import type { Reply } from '../../src/base/http/client.ts'

/** An answer, or that there was none, for the sentence that says what was seen. */
export function describeReply(reply: Reply): string {
  return reply.kind === 'no-answer' ? `that the backend ${reply.message}` : `the status ${reply.status}`
}

/** What clause 4.2 asks of a failure: an answer with a status other than 2xx. */
export function isFailure(reply: Reply): boolean {
  return reply.kind === 'answer' && (reply.status < 200 || reply.status > 299)
}
