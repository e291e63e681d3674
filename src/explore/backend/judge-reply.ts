import { findSecret } from '../../base/find-secret/find-secret.ts'
import type { Answer, Reply } from '../../base/http/client.ts'
import type { FailureKind } from '../../base/http/failure.ts'
import { headerOf } from '../../base/http/headers.ts'
import { servedAfterSignOutSeconds } from '../../base/times.ts'
import { isRecord, tokensIn } from '../../base/tokens/decode.ts'
import { mintContract } from '../../contract/mint.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import type { DoubleCall } from '../../roles/mint/double.ts'
import type { Breach } from '../engine/subject.ts'
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

type Broken = Omit<Breach, 'evidence'>

export function judgeReply(asked: Asked, reply: Reply, context: ReplyContext): Breach[] {
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

/** A shorter session may appear in a call by chance. */
const shortestSession = 8
const longestLifetimeSeconds = 3600
/** Calls of one step that are no flood. */
const flood = { anyStep: 30, eachRequest: 10, eachSecond: 20 }

export function judgeCall(call: DoubleCall, apiKey: string, sessions: ReadonlySet<string>): Breach[] {
  const { target, headers, body } = call
  const evidence = call.exchange === '' ? [] : [call.exchange]
  const text = [target, ...headers.map((pair) => pair.join(': ')), body].join('\n')
  const holdsSession = [...sessions].some(
    (session) => session.length >= shortestSession && findSecret(text, session) !== null,
  )
  // A backend may look whether its mint is up by other requests.
  const isMintCall = target.startsWith(mintContract.path)
  const breaches: (Pick<Breach, 'invariant' | 'saw'> | null)[] = [
    holdsSession ? { invariant: 'EXP-02', saw: 'a sessionToken in a mint call' } : null,
    isMintCall ? judgeForm(call, apiKey) : null,
    isMintCall ? judgeLifetime(call) : null,
  ]
  return breaches.flatMap((one) => (one === null ? [] : [{ ...one, evidence, isProof: true }]))
}

function judgeForm({ method, headers, userId }: DoubleCall, apiKey: string) {
  const authorization = headerOf(headers, 'authorization') ?? ''
  const hasKey = /^bearer /i.test(authorization) && authorization.slice(7).trim() === apiKey
  const wrong =
    method !== 'POST'
      ? `by ${method}`
      : !hasKey
        ? 'without the API key as the bearer'
        : userId === null || userId === ''
          ? 'without a userId'
          : null
  return wrong === null ? null : ({ invariant: 'EXP-08', saw: `a mint call ${wrong}` } as const)
}

function judgeLifetime({ json }: DoubleCall) {
  const ttl = isRecord(json) ? json['ttlSeconds'] : undefined
  return typeof ttl === 'number' && ttl > longestLifetimeSeconds
    ? ({ invariant: 'EXP-10', saw: `a mint call with ttlSeconds ${ttl}` } as const)
    : null
}

/** Judges whether the calls of a step are too many for the requests of the story until then. */
export function judgeFlood(calls: number, requests: number, seconds: number): Breach[] {
  const most = flood.anyStep + flood.eachRequest * requests + flood.eachSecond * seconds
  const saw = `${calls} mint calls within ${Math.ceil(seconds * 10) / 10} s, after ${requests} requests`
  return calls <= most ? [] : [{ invariant: 'EXP-09', saw, evidence: [] }]
}
