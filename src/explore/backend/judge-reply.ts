import { findSecret } from '../../base/evidence/find-secret.ts'
import type { Reply } from '../../base/http/client.ts'
import type { FailureKind } from '../../base/http/failure.ts'
import { readToken, tokensIn } from '../../base/tokens/decode.ts'
import { leftWithoutAnswer, servedAfterSignOut, successOfTokenlessMint } from '../../requirement/graces.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import type { Breach } from '../engine/subject.ts'
import type { BackendInvariant } from './invariants.ts'
import type { Issued } from './mint-watch.ts'
import type { Caller } from './steps.ts'

/** A request of the story, from when it is sent. */
export interface Asked {
  readonly who: Caller
  /** Whose session it carries; null where it carries none that was live when it was sent. */
  readonly userId: string | null
  /** Milliseconds since 1970. */
  readonly sentAt: number
  /** Nothing else was under way, and the mint answered every call with a token. */
  readonly isOrdinary: boolean
  /** How long ago its session was signed out in the story; null where it was not. */
  readonly endedForMs: number | null
}

export interface ReplyContext {
  readonly backend: Backend
  readonly apiKey: string
  readonly issued: (token: string) => Issued | null
  /** Says whether the mint has said success without a token since then. */
  readonly wasTokenlessSince: (time: number) => boolean
  /** Says whether the user is served within a longer time than a story has. */
  readonly isServedLater: (who: Caller) => Promise<boolean>
}

/** Clocks of the machine and of the double are one; a request takes its time. */
const expiryMarginMs = 400

/** No request came to the backend: it is judged at the beginning of the next story, where it stays away. */
const unreached: readonly FailureKind[] = ['refused', 'name', 'tls', 'proxy']

type OwnBreach = Breach & { readonly invariant: BackendInvariant }

/** Lists the breaches of the response to a request. */
export function judgeReply(asked: Asked, reply: Reply, context: ReplyContext): OwnBreach[] {
  const { backend, apiKey, issued, wasTokenlessSince, isServedLater } = context
  const evidence = [reply.exchange]
  const breaches: OwnBreach[] = []
  const by = asked.who
  if (reply.kind === 'no-answer') {
    if (asked.userId !== null && !unreached.includes(reply.failure))
      breaches.push({
        invariant: 'EXP-06',
        level: reply.failure === 'timeout' ? leftWithoutAnswer.level : undefined,
        saw: `a request of ${by} that got no response: the backend ${reply.message}`,
        expected: 'a token or an error (4.2.4)',
        fix: 'Bound every mint call by a deadline, and answer each request, also where a call fails or is shared.',
        evidence,
      })
    return breaches
  }
  const text = [reply.statusText, ...reply.headers.map((pair) => pair.join(': ')), reply.body].join('\n')
  if (findSecret(text, apiKey) !== null)
    breaches.push({
      invariant: 'EXP-01',
      saw: `the API key in the response to ${by}`,
      expected: 'no key in a response (2.1.1)',
      fix: "Answer with the backend's own error, and drop what the mint or the request said.",
      evidence,
      isProof: true,
    })
  const returned = backend.tokenOf(reply)
  if (asked.userId === null) {
    const issuedThere = [returned, ...tokensIn(reply.body)].some(
      (token) => token !== null && issued(token) !== null,
    )
    const { endedForMs } = asked
    const isInGrace = endedForMs !== null && endedForMs < servedAfterSignOut.seconds * 1000
    if (issuedThere && !isInGrace)
      breaches.push({
        invariant: 'EXP-04',
        level: endedForMs === null ? undefined : servedAfterSignOut.level,
        saw: `a calling token for ${describeEnded(by, endedForMs)}`,
        expected: 'no token, and an error such as 401 (4.2.1)',
        fix: 'Validate the session for each request, before anything that was kept or is shared is looked at.',
        evidence,
        isProof: endedForMs === null ? true : undefined,
      })
    return breaches
  }
  const isSuccess = reply.status >= 200 && reply.status <= 299
  if (returned === null) {
    if (isSuccess)
      breaches.push({
        invariant: 'EXP-06',
        level: wasTokenlessSince(asked.sentAt) ? successOfTokenlessMint.level : undefined,
        saw: `${reply.status} without a calling token for ${by}`,
        expected: 'a token, or an error such as 502 (4.2.4)',
        fix: 'Answer with an error whenever there is no token to return.',
        evidence,
      })
    else if (asked.isOrdinary)
      breaches.push({
        invariant: 'EXP-07',
        saw: `${reply.status} for ${by}, signed in, while the mint answered every call, and no token within 35 s`,
        expected: 'a token (4.2.5)',
        fix: 'Drop what a failed or abandoned call leaves behind: locks, pending promises and counters.',
        evidence,
        confirm: async () => !(await isServedLater(by)),
      })
    return breaches
  }
  const owner = ownerOf(returned, issued)
  if (owner !== null && owner.userId !== asked.userId)
    breaches.push({
      invariant: 'EXP-03',
      saw: `the token of another user in the response to ${by}`,
      expected: 'a token for the user of the session (2.1.4)',
      fix: 'Key everything that is kept or shared by the user of the session, and keep no last token.',
      evidence,
      isProof: true,
    })
  if (owner !== null && owner.expiresAt + expiryMarginMs < asked.sentAt)
    breaches.push({
      isProof: issued(returned) === null ? undefined : true,
      invariant: 'EXP-05',
      saw: `a token returned to ${by} ${Math.ceil((asked.sentAt - owner.expiresAt) / 100) / 10} s after its expiry`,
      expected: 'a valid token or an error (3)',
      fix: 'Drop a kept token before its expiry, also where the mint fails.',
      evidence,
    })
  return breaches
}

function describeEnded(by: Caller, endedForMs: number | null): string {
  if (endedForMs !== null) return `the session of ${by}, who had signed out`
  return by === 'no session' ? 'a request without a session' : by
}

/** By what the double issued, else by the token's own claims. */
function ownerOf(token: string, issued: ReplyContext['issued']): Issued | null {
  const known = issued(token)
  if (known !== null) return known
  const { userId, exp } = readToken(token)?.claims ?? {}
  if (typeof userId !== 'string') return null
  return { userId, expiresAt: typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY }
}
