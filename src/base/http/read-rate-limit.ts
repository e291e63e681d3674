import { retryAfterSeconds } from '../rate-limit-retry.ts'
import type { Reply } from './client.ts'
import { headerOf } from './headers.ts'

/** The seconds for which a rate limit asks to wait; `null` for any other answer. */
export function readRateLimit(reply: Reply): number | null {
  if (reply.kind === 'no-answer' || reply.status !== 429) return null
  return retryAfterSeconds(headerOf(reply.headers, 'retry-after'))
}
