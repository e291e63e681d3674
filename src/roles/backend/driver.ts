import type { Clock } from '../../base/clock.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import { faultOfStatus, rejectingStatuses } from '../../base/evidence/transport-fault.ts'
import type { Answer, HttpClient, Reply } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { type Limiter, retryAfterSeconds, type TooSoon } from '../../base/http/limiter.ts'
import type { Limits } from '../../base/http/limits.ts'
import { readAbsence, readUnserved } from '../../base/http/read-rate-limit.ts'
import { BanOver, ControlLost, Untested } from '../../base/inconclusive.ts'
import { startingBackendMs } from '../../base/times.ts'
import { readToken, tokensIn } from '../../base/tokens/decode.ts'
import { createTokenLikeness, type TokenLikeness } from '../../base/tokens/token-likeness.ts'
import { issuedToken } from '../mint/driver.ts'
import { composeRequest, type RouteCall } from './compose-request.ts'
import type { BackendConfiguration, UserSession } from './configuration.ts'
import { findTokenPlace, showsKey, tokenInReply } from './find-in-reply.ts'

/** Changes to a well-formed call of the customer's token route. */
export interface BackendRequest extends Omit<RouteCall, 'authorization'> {
  /**
   * Whose bearer session; by default alice's. A user's is renewed where it has to be, a text is sent as it is; `null` leaves
   * the Authorization header out.
   */
  readonly session?: UserSession | string | null
  /** The whole Authorization header instead of `Bearer` and the session. */
  readonly authorization?: string
  readonly deadlineMs?: number | undefined
  readonly givenUp?: AbortSignal | undefined
  readonly followRedirects?: boolean
  /** An origin in the request target. */
  readonly absoluteTarget?: string
  /** Connects anew rather than reuse a connection. */
  readonly newConnection?: boolean
  /** The case of a requirement that it is sent for, as a noun. */
  readonly case?: string
  /** A rate limit is looked for while the mint is scripted: no pace that was found delays it. */
  readonly isUnpaced?: boolean
}

export type Backend = ReturnType<typeof createBackend>

export interface ReplyWithKey {
  readonly reply: Reply
  /** Such as "for an ordinary request". */
  readonly when: string
}

export interface FetchedToken {
  readonly jwt: string
  readonly userId: string
  readonly answer: Answer
  readonly exchange: string
}

export interface BackendOptions {
  readonly backend: BackendConfiguration
  readonly alice: UserSession
  /** The key that it calls the mint with, where the file names it. */
  readonly apiKey: string | undefined
  readonly http: HttpClient
  readonly secrets: Secrets
  readonly clock: Clock
  /** How long rate limits are waited out in all, and how long the backend may refuse a session that it has served. */
  readonly limits: Pick<Limits, 'patienceSeconds'> & Partial<Pick<Limits, 'pace'>>
  readonly limiter: Limiter
  /** The pace that was found for the mint that the backend asks; absent where that is a double. */
  readonly mintLimiter: Limiter | undefined
  /** A double forwards to a mint that limits its rate: until that serves again, the backend answers 502 for anyone. */
  readonly isForwardingLimited?: (() => boolean) | undefined
  /** Called with every success: a real mint has issued a token for it. */
  readonly onSuccess: () => void
  /**
   * Says whether the mint fails because a check scripts it. The backend's answer is then its answer to that.
   */
  readonly isMintScripted: () => boolean
}

/** Circuit breakers stay open for a minute as a rule. */
const timesPatientWithFailures = 4
/** On a busy machine the time of the patience may pass between two tries. */
const leastTries = 4

/** A backend, and what it was seen to do so far. */
interface Driven extends BackendOptions {
  readonly likeness: TokenLikeness
  /** Users whose sessions have got a token. */
  readonly served: Set<UserSession>
  readonly repliesWithKey: ReplyWithKey[]
  hasStayedDown: boolean
}

/** The customer's token route as the app sees it. */
export function createBackend(options: BackendOptions) {
  const { backend, alice } = options
  const served = new Set<UserSession>()
  const likeness = createTokenLikeness()
  const driven: Driven = { ...options, likeness, served, repliesWithKey: [], hasStayedDown: false }
  return {
    url: backend.url,
    method: backend.method,
    /** The user that every backend must be given. */
    alice,
    /** Every call states the user's own id, where `backend.request` has a place for it. */
    statesUser: JSON.stringify(backend.request ?? null).includes('{userId}'),
    request: (change: BackendRequest = {}): Promise<Reply> => request(driven, change),
    /** A user's session for a check that derives others from it, or looks for it: it does not end within the check. */
    async exactSession(user: UserSession): Promise<UserSession> {
      const { userId, cookie, renew, everySeconds = 0 } = user
      if (renew === undefined) return user
      const exact = { token: await renew(everySeconds / 4), userId, cookie, everySeconds }
      if (served.has(user)) served.add(exact)
      return exact
    },
    /** The session of this text, as the configuration has it; alice's where it has none. */
    sessionOf: (token: string): UserSession => ({
      token,
      userId: userOfSession(backend, token) ?? alice.userId,
    }),
    /** A call as `request` would send it, for a check that sends it another way. */
    compose: (call: RouteCall) => composeRequest(backend, call),
    /** The token that the app would read: a string at `token` of a 2xx JSON object; `null` where it would fail. */
    tokenOf: (reply: Reply): string | null => tokenOf(driven, reply),
    /**
     * Fetches a token as the app does; throws `ControlLost` when the backend gives none. Where it has served the session before,
     * failures that last for a while, as after those of the mint, are waited out; behind a ban that is over it throws `BanOver`.
     */
    token: (session: UserSession = alice): Promise<FetchedToken> => fetchToken(driven, session),
    /**
     * As `request`, for a session that must get a token. A backend that refuses it may refuse everyone for a while: then a session
     * that it has served must get a token first, and it is asked again. One that has served no session yet and fails is given
     * the time of a slow start. Throws `ControlLost` like `token`, and where it does not answer: silence at ordinary use is no
     * answer to a case.
     */
    requestServed: (change: BackendRequest & { readonly session: UserSession }): Promise<Answer> =>
      requestServed(driven, change),
    /** A calling token anywhere in an answer that should have none, other than what the request carried. */
    issuedBy(reply: Reply): string | null {
      if (reply.kind === 'no-answer') return null
      const opaque = tokenOf(driven, reply)
      return (
        issuedToken(reply, likeness) ??
        (opaque !== null && readToken(opaque) === null && !reply.sent.includes(opaque) ? opaque : null)
      )
    },
    hasServed: (session: UserSession): boolean => served.has(session),
    /** The answers in which the API key was, but for those to requests that held it, and to a mint that a check scripts. */
    repliesWithKey: (): readonly ReplyWithKey[] => driven.repliesWithKey,
  }
}

async function request(driven: Driven, change: BackendRequest): Promise<Reply> {
  const { alice, mintLimiter, limiter, isMintScripted } = driven
  const { session = alice } = change
  const user = typeof session === 'string' ? null : session
  const token = typeof session === 'string' ? session : (user?.token ?? null)
  const send = () => sendOnce(driven, change, token, user)
  // Each call costs one of the mint, which may be limited by itself.
  const sendAtMintsPace = () =>
    mintLimiter?.met() == null ? send() : mintLimiter.send(send, readFailureOfMint)
  // The answer to a scripted mint is the backend's own, but comes at the backend's pace.
  const sendWhileScripted = () => (change.isUnpaced === true ? send() : limiter.send(send, readAbsence))
  const reply = await (isMintScripted() ? sendWhileScripted() : limiter.send(sendAtMintsPace, readUnserved))
  noteReply(driven, reply, change.authorization === undefined ? user : null)
  noteKey(driven, reply, change.case)
  if (change.authorization === undefined && user !== null) assertLive(driven, user, reply)
  return reply
}

function sendOnce(
  { backend, http }: Driven,
  change: BackendRequest,
  token: string | null,
  user: UserSession | null,
): Promise<Reply> {
  const authorization = change.authorization ?? (token === null ? null : `Bearer ${token}`)
  const renew = change.authorization === undefined ? user?.renew : undefined
  return http.send({
    to: 'backend',
    ...composeRequest(backend, {
      ...change,
      authorization: renew === undefined ? authorization : null,
      userId: change.userId ?? user?.userId ?? userOfSession(backend, token),
    }),
    lateHeaders:
      renew === undefined ? undefined : async () => [['authorization', `Bearer ${await renew()}`] as const],
    deadlineMs: change.deadlineMs,
    givenUp: change.givenUp,
    followRedirects: change.followRedirects ?? false,
    newConnection: change.newConnection ?? false,
    absoluteTarget: change.absoluteTarget,
    case: change.case,
  })
}

/** The user of a session that is sent as a text, where the configuration knows it. */
function userOfSession({ sessions }: BackendConfiguration, token: string | null): string | undefined {
  const { alice, aliceSecondDevice, bob, odd = [] } = sessions
  return [alice, aliceSecondDevice, bob, ...odd].find((one) => one?.token === token)?.userId
}

/** Throws for a session of the file that has come to its end meanwhile: a rejection of it says nothing. */
function assertLive({ clock }: Driven, { token, userId, everySeconds }: UserSession, reply: Reply): void {
  if (reply.kind === 'no-answer' || reply.status !== 401 || everySeconds !== undefined) return
  const exp = readToken(token)?.claims?.['exp']
  if (typeof exp !== 'number' || exp * 1000 > clock.wall()) return
  throw new ControlLost(
    `the session of ${JSON.stringify(userId)} has expired (exp): write its token as { command: …, freshEverySeconds: … } in backend.sessions, or sign in again`,
    [reply.exchange],
  )
}

/** @param user whose session the request carried */
function noteReply(driven: Driven, reply: Reply, user: UserSession | null): void {
  const { secrets, served, onSuccess } = driven
  if (reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299) onSuccess()
  if (reply.kind === 'answer') for (const jwt of tokensIn(reply.body)) secrets.learn('calling-jwt', jwt)
  const token = tokenOf(driven, reply)
  if (token === null) return
  secrets.learn('calling-jwt', token)
  if (user === null) return
  served.add(user)
  driven.hasStayedDown = false
}

/** A mint that a check scripts may have put the key there. */
function noteKey(
  { apiKey, isMintScripted, repliesWithKey }: Driven,
  reply: Reply,
  sentCase = 'an ordinary request',
) {
  if (!isMintScripted() && showsKey(reply, apiKey)) repliesWithKey.push({ reply, when: `for ${sentCase}` })
}

async function requestServed(
  driven: Driven,
  change: BackendRequest & { readonly session: UserSession },
): Promise<Answer> {
  const { served } = driven
  const first = answered(await request(driven, change))
  if (tokenOf(driven, first) !== null) return first
  const isOwn = first.status === 429 || served.has(change.session)
  const witness = isOwn ? change.session : served.values().next().value
  if (witness !== undefined) await fetchToken(driven, witness)
  else if (isFault(first)) await requestPatiently(driven, change.session)
  // A backend that has served no session is not accused of a refusal.
  else if (rejectingStatuses.has(first.status)) await fetchToken(driven, change.session)
  else return first
  return answered(await request(driven, change))
}

function answered(reply: Reply): Answer {
  if (reply.kind === 'answer') return reply
  throw new ControlLost(`the backend, asked with a valid session, ${reply.message}`, [reply.exchange])
}

/** Asks until there is a token, for as long as an open circuit breaker may last. */
async function requestPatiently(driven: Driven, session: UserSession): Promise<Reply> {
  const { served, clock, isMintScripted, limiter } = driven
  const askAgain = () => request(driven, { session, followRedirects: true })
  const first = await askAgain()
  // A busy machine or a balancer on its way: what is no fault of the session is asked once more.
  let reply = isFault(first) ? await askAgain() : first
  const isServedAgain = async () => tokenOf(driven, await askAgain()) !== null
  if (
    served.has(session) &&
    isRejection(reply) &&
    !isMintScripted() &&
    (await limiter.outlastBan(isServedAgain))
  )
    throw new BanOver('the backend refused every session for a while', [reply.exchange])
  const patientMs = patienceMs(driven, session, reply)
  const deadline = clock.monotonic() + patientMs
  const isWorthWaiting = () =>
    (isFault(reply) || (served.has(session) && !isRejection(reply))) &&
    !driven.hasStayedDown &&
    !isMintScripted()
  for (
    let tries = 1;
    reply.kind === 'answer' && tokenOf(driven, reply) === null && isWorthWaiting();
    tries += 1
  ) {
    const askedMs = retryAfterSeconds(headerOf(reply.headers, 'retry-after')) * 1000
    const next = clock.monotonic() + askedMs
    // A backend that has stayed down is not waited for again until it serves.
    if (askedMs > patientMs || (next > deadline && tries >= leastTries)) driven.hasStayedDown = true
    else {
      await clock.until(next)
      reply = await askAgain()
    }
  }
  return reply
}

function patienceMs(
  { limits, served, isForwardingLimited = () => false }: Driven,
  session: UserSession,
  reply: Reply,
): number {
  const usualMs = limits.patienceSeconds * 1000
  if (!served.has(session))
    // Nothing shows yet that it can serve: a busy machine is over soon, a dead backend never.
    return isForwardingLimited() ? usualMs : Math.min(usualMs, startingBackendMs)
  const isFailing = reply.kind === 'answer' && reply.status >= 500
  return isFailing ? usualMs * timesPatientWithFailures : usualMs
}

function tokenOf({ backend }: Pick<Driven, 'backend'>, reply: Reply): string | null {
  return tokenInReply(reply, backend.tokenField)
}

async function fetchToken(driven: Driven, session: UserSession): Promise<FetchedToken> {
  const { served, likeness } = driven
  const reply = answered(await requestPatiently(driven, session))
  const jwt = tokenOf(driven, reply)
  if (jwt === null && served.size === 0) assertTokenField(reply)
  // A backend that echoes returns what it was sent.
  if (jwt === null || reply.sent.includes(jwt))
    throw new ControlLost(
      `the backend returned ${reply.status} without a token for a valid session${hintAt(served, session, reply)}`,
      [reply.exchange],
    )
  likeness.learn(jwt)
  return { jwt, userId: session.userId, answer: reply, exchange: reply.exchange }
}

function hintAt(served: ReadonlySet<UserSession>, session: UserSession, { status }: Answer): string {
  if (status === 429) return ': set limits.pace.backend to what its rate limit allows'
  if (!served.has(session)) return ''
  if (status !== 401)
    return ', which it accepted before: if it blocks all clients for a while after rejected sessions or mint failures, raise limits.patienceSeconds, or set limits.pace.backend'
  return session.everySeconds === undefined
    ? ', which it accepted before: if sessions are that short, write token: { command: …, freshEverySeconds: … }'
    : ', which it accepted before: make freshEverySeconds shorter than its sessions'
}

/**
 * One accusation: BACK-01 judges a success without a token in its place, and every other requirement would repeat it.
 * @param reply an answer without a token, to a session that must get one
 */
export function assertTokenField(reply: Reply): void {
  if (reply.kind !== 'answer' || reply.status < 200 || reply.status > 299) return
  const place = findTokenPlace(reply)
  const hint = place === null ? '' : `; set backend.tokenField: "${place}" to judge the rest`
  throw new Untested(
    `waits for BACK-01: the backend returned ${reply.status} without a string "token" for a valid session${hint}`,
  )
}

/** Beside a mint that limits its rate, a failure of the backend may be one of its mint call. */
function readFailureOfMint(reply: Reply): TooSoon | null {
  const hasFailed = reply.kind === 'answer' && [502, 503, 504].includes(reply.status)
  return hasFailed ? { seconds: 1, isSure: false } : null
}

/** A limit on the rate is waited for by the limiter. */
function isRejection(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.status !== 429
}

function isFault(reply: Reply): boolean {
  return reply.kind === 'no-answer' || faultOfStatus(reply.status) !== null
}

/** Finds those that get no token by now: that another part rejects an ended session shows nothing. */
export async function findEnded(
  backend: Pick<Backend, 'request' | 'tokenOf'>,
  sessions: readonly UserSession[],
): Promise<readonly UserSession[]> {
  const replies = await Promise.all(
    sessions.map((session) => backend.request({ session, followRedirects: true })),
  )
  return sessions.filter((_, place) => {
    const reply = replies[place]
    return reply === undefined || backend.tokenOf(reply) === null
  })
}
