import type { Clock } from '../../base/clock.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import type { Answer, HttpClient, HttpRequest, Reply } from '../../base/http/client.ts'
import type { Headers } from '../../base/http/headers.ts'
import { createLimiter, type Limiter } from '../../base/http/limiter.ts'
import { readUnserved } from '../../base/http/read-rate-limit.ts'
import { BanOver, ControlLost, Untested } from '../../base/inconclusive.ts'
import { demandedLifetimeSeconds } from '../../base/times.ts'
import { isRecord, type ReadToken, readToken, tokensIn } from '../../base/tokens/decode.ts'
import { framesAround, pathsHolding, type UserFrame } from '../../base/tokens/find-user-claim.ts'
import { type Located, locateToken } from '../../base/tokens/locate-token.ts'
import type { TokenConfiguration } from '../../base/tokens/token-configuration.ts'
import { type Lifetime, lifetimeOf } from '../../base/tokens/token-lifetime.ts'
import { createTokenLikeness, type TokenLikeness } from '../../base/tokens/token-likeness.ts'
import { mintBody, mintContract, presentKey } from '../../contract/mint.ts'
import { createMintBudget, type MintBudget } from './budget.ts'
import type { MintConfiguration } from './configuration.ts'

/** Changes to a well-formed mint request. */
export interface MintRequest {
  /** The bearer key; `null` leaves the Authorization header out. By default the configured key. */
  readonly key?: string | null | undefined
  /** The whole Authorization header instead of `Bearer` and the key. */
  readonly authorization?: string
  readonly method?: string
  readonly userId?: unknown
  readonly ttlSeconds?: unknown
  /** A string is sent as it is, else as JSON, with a lifetime where the mint demands one; `null`: no body. */
  readonly body?: unknown
  readonly headers?: Headers
  readonly query?: Readonly<Record<string, string>>
  /** Appended to the path of the endpoint. */
  readonly below?: string
  readonly contentType?: string
  /** Redirects within the origin are followed by controls, not by attacks. */
  readonly followRedirects?: boolean
  /** 429 is the answer that is looked for: it is not waited out. */
  readonly expectsLimit?: boolean
  /** Connects anew rather than reuse a connection. */
  readonly newConnection?: boolean
  /** The case of a requirement that it is sent for, as a noun. */
  readonly case?: string
}

export interface MintedToken {
  readonly jwt: string
  readonly userId: string
  readonly read: ReadToken | null
  readonly lifetime: Lifetime
  readonly askedSeconds: number | null
  /** Monotonic milliseconds: when the request left, when the answer was whole. */
  readonly sentAt: number
  readonly receivedAt: number
  readonly exchange: string
}

export type Mint = ReturnType<typeof createMint>

export interface MintOptions {
  readonly mint: MintConfiguration
  readonly token: TokenConfiguration
  readonly http: HttpClient
  readonly secrets: Secrets
  readonly clock: Clock
  readonly newUser: () => string
  readonly budget?: MintBudget
  /** The pace that was found for it; its own where absent. */
  readonly limiter?: Limiter
  /** Its requests go first and wait for no ban: a backend waits for the answer, until its own deadline. */
  readonly isUrgent?: boolean
}

const banHint =
  ', which it served before: if it blocks all clients for a while after rejected keys, set limits.pace.mint'

/** The mint as the suite drives it: a server that holds the API key. */
export function createMint({
  mint,
  token: { field, userIdClaim },
  http,
  secrets,
  clock,
  newUser,
  budget = createMintBudget(null),
  limiter = createLimiter(clock),
  isUrgent = false,
}: MintOptions) {
  const endpoint = mint.url + mintContract.path
  const likeness = createTokenLikeness()
  let hasServed = false

  const ask = demandingLifetime(Math.max(demandedLifetimeSeconds, mint.minTtlSeconds))
  const request = (change: MintRequest = {}): Promise<Reply> => ask(change, askOnce)
  const askOnce = async (change: MintRequest): Promise<Reply> => {
    const composed = requestOf(change, endpoint, mint.apiKey, newUser)
    const send = () => budget.spend(() => http.send(composed), hasIssued)
    const reply = await (change.expectsLimit === true ? send() : limiter.send(send, readUnserved, isUrgent))
    // Registered even where the check does not read the token, so that opaque ones are hidden, too.
    if (hasIssued(reply) && reply.kind === 'answer') locate(reply)
    return reply
  }

  const locate = (answer: Answer): Located => {
    const located = locateToken({ text: answer.body, json: answer.json }, field)
    if (located.kind === 'found') secrets.learn('calling-jwt', located.token)
    for (const jwt of tokensIn(answer.body)) secrets.learn('calling-jwt', jwt)
    return located
  }

  const token = async (
    userId: string,
    { ttlSeconds }: { readonly ttlSeconds?: number | undefined } = {},
  ): Promise<MintedToken> => {
    const asking = { userId, ttlSeconds, followRedirects: true }
    const reply = await request(asking)
    const mayBeBan = hasServed && !isUrgent && reply.kind === 'answer' && reply.status === 403
    if (mayBeBan && (await limiter.outlastBan(async () => hasIssued(await request(asking)))))
      throw new BanOver('the mint refused every request for a while', [reply.exchange])
    assertServed(reply, hasServed)
    const located = locate(reply)
    assertLocated(located, reply, hasServed)
    const read = readToken(located.token)
    likeness.learn(located.token)
    hasServed = true
    return {
      jwt: located.token,
      userId,
      read,
      lifetime: lifetimeOf(read, reply, clock.wall()),
      askedSeconds: ttlSeconds ?? null,
      sentAt: reply.sentAt,
      receivedAt: reply.receivedAt,
      exchange: reply.exchange,
    }
  }

  return {
    /** The whole address of the endpoint. */
    endpoint,
    apiKey: mint.apiKey,
    minTtlSeconds: mint.minTtlSeconds,
    request,
    /** It has served an ordinary request: a mint that then refuses them all has blocked the suite. */
    hasServed: () => hasServed,
    /** Mints for the user; throws `ControlLost` when the service does not, and `BanOver` behind a ban that is over. */
    token,
    locate,
    /** The token in an answer that should have none; what the request itself carried is only an echo. */
    issuedBy(reply: Reply): string | null {
      if (reply.kind === 'no-answer') return null
      return issuedToken(reply, likeness) ?? tokenInPlace(reply, field)
    },
    ...createUserIdPaths(() => token(newUser()), userIdClaim),
  }
}

/** Adds a lifetime to requests that name none, once one of them was served only with it. */
function demandingLifetime(ttlSeconds: number) {
  let state: 'unknown' | 'optional' | 'demanded' = 'unknown'
  const isOpen = ({ ttlSeconds: asked, body, method = mintContract.method }: MintRequest) =>
    asked === undefined &&
    method === mintContract.method &&
    (body === undefined || (isRecord(body) && !(mintContract.request.lifetime in body)))
  const complete = (change: MintRequest): MintRequest =>
    isRecord(change.body) ? { ...change, body: { ...change.body, ttlSeconds } } : { ...change, ttlSeconds }
  return async (change: MintRequest, send: (change: MintRequest) => Promise<Reply>): Promise<Reply> => {
    if (!isOpen(change)) return await send(change)
    if (state === 'demanded') return await send(complete(change))
    const reply = await send(change)
    if (hasIssued(reply)) state = 'optional'
    const isInvalid = reply.kind === 'answer' && [400, 422].includes(reply.status)
    if (state === 'optional' || !isInvalid) return reply
    const completed = await send(complete(change))
    if (!hasIssued(completed)) return reply
    state = 'demanded'
    return completed
  }
}

/** Learns what the specification leaves open from tokens of two users. */
function createUserIdPaths(
  mintToken: () => Promise<MintedToken>,
  userIdClaim: TokenConfiguration['userIdClaim'],
) {
  let paths: Promise<readonly string[]> | undefined
  let frames: readonly UserFrame[] = []
  const framing = (read: ReadToken | null, userId: string): UserFrame[] =>
    read?.claims == null ? [] : framesAround(read.claims, userId, userIdClaim)
  const holding = (read: ReadToken | null, userId: string): string[] => {
    if (read?.claims == null) return []
    const exact = pathsHolding(read.claims, userId, userIdClaim)
    if (frames.length === 0 || exact.length > 0) return exact
    return framing(read, userId)
      .filter((one) => frames.some((frame) => isSameFrame(frame, one)))
      .map(({ path }) => path)
  }
  const findPaths = async (): Promise<readonly string[]> => {
    // A mint that mixes up requests at once would name its users nowhere.
    const first = await mintToken()
    const second = await mintToken()
    const ofSecond = holding(second.read, second.userId)
    const exact = holding(first.read, first.userId).filter((path) => ofSecond.includes(path))
    if (exact.length > 0) return exact
    const ofOther = framing(second.read, second.userId)
    frames = framing(first.read, first.userId).filter((frame) =>
      ofOther.some((one) => isSameFrame(frame, one)),
    )
    return frames.map(({ path }) => path)
  }
  return {
    /** Paths of the claims that are the userId in two tokens, or of those with it in the same text. */
    userIdPaths(): Promise<readonly string[]> {
      paths ??= findPaths().catch((error: unknown) => {
        paths = undefined
        throw error
      })
      return paths
    },
    /** Paths of the claims that are this userId, or have it in the text that `userIdPaths` has found. */
    pathsHolding: holding,
  }
}

/**
 * A token anywhere in the answer, its header included, that the request did not carry itself. At "token" or "jwt" of the
 * body it is whatever reads as a JWT; elsewhere it must be like those that the service issues: a redirect to a login may
 * carry a signed request, and a page the public key of another service. Cookies do not count: gateways give anonymous
 * visitors sessions that are JWTs, too, refused ones as well.
 */
export function issuedToken(answer: Answer, likeness: TokenLikeness): string | null {
  const headers = answer.headers.filter(([name]) => name !== 'set-cookie')
  const texts = [answer.body, ...stringsOf(answer.json), ...headers.map(([, value]) => value)]
  const found = texts.flatMap(tokensIn).filter((jwt) => !answer.sent.includes(jwt))
  const named = isRecord(answer.json) ? [answer.json['token'], answer.json['jwt']] : []
  return found.find((jwt) => named.includes(jwt) || likeness.isAlike(jwt)) ?? null
}

function isSameFrame(one: UserFrame, other: UserFrame): boolean {
  return one.path === other.path && one.before === other.before && one.after === other.after
}

/** In a success, what is where a token would be: a service may issue something that is no JWT. */
function tokenInPlace(answer: Answer, field: string): string | null {
  if (answer.status < 200 || answer.status > 299) return null
  const located = locateToken({ text: answer.body, json: answer.json }, field)
  return located.kind === 'found' && !answer.sent.includes(located.token) ? located.token : null
}

function assertServed(reply: Reply, hasServed: boolean): asserts reply is Answer {
  if (reply.kind === 'no-answer')
    throw new ControlLost(`the mint, asked for a token, ${reply.message}`, [reply.exchange])
  if (reply.status >= 200 && reply.status <= 299) return
  const hint = hasServed && reply.status === 403 ? banHint : ''
  throw new ControlLost(`the mint returned ${reply.status} for an ordinary request${hint}`, [reply.exchange])
}

function assertLocated(
  located: Located,
  reply: Answer,
  hasServed: boolean,
): asserts located is Extract<Located, { kind: 'found' }> {
  if (located.kind === 'ambiguous')
    throw new Untested(
      `the mint's body contains several tokens (${located.candidates.join(', ')}): choose one with token.field`,
    )
  if (located.kind === 'missing' && !hasServed) assertTokenPlace(reply)
  if (located.kind === 'missing')
    throw new ControlLost(`the mint returned ${reply.status} without a recognisable token`, [reply.exchange])
  if (reply.sent.includes(located.token))
    throw new ControlLost('the mint only echoed the request', [reply.exchange])
}

/** MINT-02 judges a success without a token: every other requirement would repeat that. */
export function assertTokenPlace(reply: Reply): void {
  if (reply.kind === 'answer' && hasIssued(reply))
    throw new Untested(`waits for MINT-02: the mint returned ${reply.status} without a recognisable token`)
}

function hasIssued(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299
}

/** Every string in a JSON value, in no particular order. A peer may nest deeper than functions can call themselves. */
function stringsOf(json: unknown): string[] {
  const strings: string[] = []
  const left = [json]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') strings.push(value)
    else if (typeof value === 'object' && value !== null)
      for (const one of Object.values(value)) left.push(one)
  }
  return strings
}

function requestOf(
  change: MintRequest,
  endpoint: string,
  apiKey: string,
  newUser: () => string,
): HttpRequest {
  const { method = mintContract.method, contentType = 'application/json', key = apiKey } = change
  const { header } = mintContract.key
  const authorization = change.authorization ?? (key === null ? null : presentKey(key))
  const url = new URL(endpoint + (change.below ?? ''))
  for (const [name, value] of Object.entries(change.query ?? {})) url.searchParams.append(name, value)
  const body = bodyOf(change, newUser)
  return {
    to: 'mint',
    method,
    url: url.href,
    headers: [
      ...(authorization === null ? [] : [[header, authorization] as const]),
      ...(body === null ? [] : [['content-type', contentType] as const]),
      ...(change.headers ?? []),
    ],
    body: body ?? undefined,
    followRedirects: change.followRedirects ?? false,
    newConnection: change.newConnection ?? false,
    case: change.case,
  }
}

function bodyOf(change: MintRequest, newUser: () => string): string | null {
  if (change.body === null || change.method === 'GET' || change.method === 'HEAD') return null
  if (typeof change.body === 'string') return change.body
  if (change.body !== undefined) return JSON.stringify(change.body)
  const { userId = newUser(), ttlSeconds } = change
  return mintBody(userId, ttlSeconds)
}
