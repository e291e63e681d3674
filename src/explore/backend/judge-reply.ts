import { findSecret } from '../../base/find-secret/find-secret.ts'
import type { Answer, Reply } from '../../base/http/client.ts'
import type { FailureKind } from '../../base/http/failure.ts'
import { servedAfterSignOutSeconds } from '../../base/times.ts'
import { tokensIn } from '../../base/tokens/decode.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import type { OwnBreach } from './invariants.ts'
import type { MintWatch } from './mint-watch.ts'
import type { Caller } from './steps.ts'

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
  readonly mint: MintWatch
  readonly isServed: (who: Caller) => Promise<boolean>
}

/** A request takes its time, and a backend may keep a token for a second, against double clicks. */
const expiryMarginMs = 1_500

/** No request came to the backend: it is judged at the beginning of the next story, where it stays away. */
const unreached: readonly FailureKind[] = ['refused', 'name', 'tls', 'proxy']

type Broken = Omit<OwnBreach, 'evidence'>

export function judgeReply(asked: Asked, reply: Reply, context: ReplyContext): OwnBreach[] {
  const evidence = [reply.exchange]
  const broken =
    reply.kind === 'no-answer'
      ? [judgeSilence(asked, reply)]
      : [
          judgeSecrecy(asked, reply, context),
          ...(asked.userId === null
            ? [judgeUnsigned(asked, reply, context)]
            : judgeSignedIn(asked, asked.userId, reply, context)),
        ]
  return broken.flatMap((one) => (one === null ? [] : [{ ...one, evidence }]))
}

function judgeSilence({ who, userId }: Asked, reply: Exclude<Reply, Answer>): Broken | null {
  if (userId === null || unreached.includes(reply.failure)) return null
  return {
    invariant: 'EXP-06',
    level: reply.failure === 'timeout' ? 'SHOULD' : undefined,
    saw: `a request of ${who} that got no response: the backend ${reply.message}`,
  }
}

function judgeSecrecy({ who }: Asked, reply: Answer, { apiKey }: ReplyContext): Broken | null {
  const text = [reply.statusText, ...reply.headers.map((pair) => pair.join(': ')), reply.body].join('\n')
  if (findSecret(text, apiKey) === null) return null
  return { invariant: 'EXP-01', saw: `the API key in the response to ${who}`, isProof: true }
}

function judgeUnsigned(
  { who, endedForMs }: Asked,
  reply: Answer,
  { backend, mint }: ReplyContext,
): Broken | null {
  const isIssued = [backend.tokenOf(reply), ...tokensIn(reply.body)].some(
    (token) => token !== null && mint.issued(token) !== null,
  )
  const mayBeServed = endedForMs !== null && endedForMs < servedAfterSignOutSeconds * 1_000
  if (!isIssued || mayBeServed) return null
  const whose =
    endedForMs !== null
      ? `the session of ${who}, who had signed out`
      : who === 'no session'
        ? 'a request without a session'
        : who
  return {
    invariant: 'EXP-04',
    level: endedForMs === null ? undefined : 'SHOULD',
    saw: `a calling token for ${whose}`,
    isProof: true,
  }
}

function judgeSignedIn(
  { who, sentAt, isOrdinary }: Asked,
  userId: string,
  reply: Answer,
  { backend, mint, isServed }: ReplyContext,
): (Broken | null)[] {
  const token = backend.tokenOf(reply)
  if (token === null) {
    if (reply.status >= 200 && reply.status <= 299)
      return [
        {
          invariant: 'EXP-06',
          level: mint.wasTokenlessSince(sentAt) ? 'SHOULD' : undefined,
          saw: `${reply.status} without a calling token for ${who}`,
        },
      ]
    if (!isOrdinary) return []
    return [
      {
        invariant: 'EXP-07',
        saw: `${reply.status} for ${who}, signed in, while the mint answered every call, and no token within 35 s`,
        isServed: () => isServed(who),
      },
    ]
  }
  const owner = mint.issued(token)
  if (owner === null) return []
  const expiredForMs = sentAt - owner.expiresAt
  return [
    owner.userId === userId
      ? null
      : {
          invariant: 'EXP-03',
          saw: `the token of another user in the response to ${who}`,
          isProof: true,
        },
    expiredForMs <= expiryMarginMs
      ? null
      : {
          invariant: 'EXP-05',
          saw: `a token returned to ${who} ${Math.ceil(expiredForMs / 100) / 10} s after its expiry`,
          isProof: true,
        },
  ]
}
