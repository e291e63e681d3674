import type { Reply } from '../../../src/base/http/client.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import { isSilent, showReply } from './describe-reply.ts'

export const expectedFailure = 'a non-2xx response (4.2.4)'
/** Within this time the double sees that a call was given up. */
export const noticedMs = 1_000

interface Timed {
  readonly name: string
  readonly reply: Reply
  readonly evidence: readonly string[]
  readonly promptMs: number
  readonly neverSeconds: number | undefined
  /** Milliseconds for which this machine stood still meanwhile. */
  readonly lostMs: number
}

/** Judges silence, and a late response. No deadline is specified, and a machine that stands still delays every answer. */
export function judgeTime(
  judge: Judge,
  { name, reply, evidence, promptMs, neverSeconds, lostMs }: Timed,
): void {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const ms = tookMs(reply)
  const isLate = reply.kind === 'answer' && ms > promptMs
  if (isLate && ms - lostMs <= promptMs) {
    judge.missed(
      `this machine froze for ${seconds(lostMs)} of the ${seconds(ms)} until a response came when the mint ${name}`,
    )
    return
  }
  // A gateway or a system may answer for a backend after a minute.
  const isNever = neverSeconds !== undefined && ms >= neverSeconds * 1000 - noticedMs / 2
  judge[isSilent(reply) && isNever ? 'must' : 'should'](!isLate && !isSilent(reply), {
    case: name,
    saw: `${isLate ? `a response after ${seconds(ms)}` : showReply(reply)} when the mint ${name}`,
    expected: isLate ? `a response within ${promptMs / 1000} s` : expectedFailure,
    fix: 'Bound the mint call, its body included, by a deadline that an app can wait for, and answer 502 then.',
    // The requirement whose code bounds a mint call.
    fixedAs: 'BACK-22',
    evidence,
  })
}

export function tookMs({ sentAt, receivedAt }: Reply): number {
  return receivedAt - sentAt
}
