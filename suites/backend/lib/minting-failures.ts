import type { Reply } from '../../../src/base/http/client.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { DoubleReaction, DoubleScript } from '../../../src/roles/mint/double.ts'
import { isSilent, showReply } from './describe-reply.ts'

export interface Failure {
  /** Completes "when the mint …". */
  readonly name: string
  /** Null where the mint refuses connections. */
  readonly script: DoubleScript | null
  /** The body of a success that has no token. */
  readonly tokenless?: string
}

/** Those that take time come last. */
export const failures: readonly Failure[] = [
  ...[401, 402, 403, 429, 500, 503].map((status) =>
    reacting(`answers ${status}`, { status, body: '{"error":{"code":"refused"}}' }),
  ),
  {
    name: 'answers 500 with a token',
    script: async (_, ordinary) => ({ ...(await ordinary()), status: 500 }),
  },
  reacting('resets the connection', 'reset'),
  { name: 'refuses connections', script: null },
  tokenlessSuccess('HTML', '<p>Hello</p>', 'text/html'),
  // With spaces: a single word could be a token that is no JWT.
  tokenlessSuccess('plain text', 'Calling is not available at the moment', 'text/plain'),
  tokenlessSuccess('an empty body', ''),
  tokenlessSuccess('an empty object', '{}'),
  tokenlessSuccess('a null token', '{"token":null}'),
  tokenlessSuccess('an error', '{"error":"trial ended"}'),
  tokenlessSuccess('an empty token', '{"token":""}'),
  tokenlessSuccess('a number as the token', '{"token":12345}'),
  reacting('answers 302 without a Location', { status: 302, body: '' }),
  reacting('answers 302 to a page', {
    status: 302,
    headers: { location: '/console/login' },
    body: '<p>Sign in</p>',
  }),
  tokenlessSuccess('truncated JSON', '{"token":"eyJhbGciOiJFUzI1NiJ9.eyJz'),
  reacting('hangs', 'hang'),
  reacting('sends headers without a body', 'headers only'),
]

function reacting(name: string, reaction: DoubleReaction): Failure {
  return { name, script: () => reaction }
}

function tokenlessSuccess(what: string, body: string, contentType = 'application/json'): Failure {
  const answer = { status: 200, headers: { 'content-type': contentType }, body }
  return { ...reacting(`answers 200 with ${what}`, answer), tokenless: body }
}

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
