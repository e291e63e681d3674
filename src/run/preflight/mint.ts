import { randomUUID } from 'node:crypto'
import type { Answer, Reply } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { createLimiter } from '../../base/http/limiter.ts'
import { readRateLimit } from '../../base/http/read-rate-limit.ts'
import { askedLifetimeSeconds, mintProbeSeconds } from '../../base/times.ts'
import { readToken, tokensIn } from '../../base/tokens/decode.ts'
import { pathsHolding } from '../../base/tokens/find-user-claim.ts'
import { locateToken } from '../../base/tokens/locate-token.ts'
import type { TokenConfiguration } from '../../base/tokens/token-configuration.ts'
import { mintContract } from '../../contract/mint.ts'
import type { MintConfiguration } from '../../roles/mint/configuration.ts'
import { anyUserId } from '../../roles/mint/user-ids.ts'
import { explainRefusal, quote } from './explain-refusal.ts'
import {
  findClockProblems,
  isWebPage,
  type JoinToken,
  type Probing,
  unansweredProblem,
  wantsTls,
} from './probe.ts'
import type { Problem } from './problem.ts'

export interface MintInspection {
  readonly problems: readonly Problem[]
  readonly issued: JoinToken | null
  /** Where the token has the id of the user that it was asked for. */
  readonly userPaths: readonly string[]
}

/** Sends one ordinary mint request. Wrong answers of a mint are left to the requirements. */
export async function inspectMint(mint: MintConfiguration, probing: Probing): Promise<MintInspection> {
  const { http, clock } = probing
  const url = mint.url + mintContract.path
  const userId = anyUserId(mint.userIds, `tt-preflight-${randomUUID().slice(0, 8)}`)
  const { token, limits } = probing.configuration
  const nothing = (...problems: readonly Problem[]) => ({ problems, issued: null, userPaths: [] })
  const limiter = createLimiter(clock, limits)
  const headers = [
    ['authorization', `Bearer ${mint.apiKey}`],
    ['content-type', 'application/json'],
  ] as const
  const ask = (ttl: { readonly ttlSeconds?: number }): Promise<Reply> => {
    const body = JSON.stringify({ userId, ...ttl })
    const request = { to: 'mint', method: 'POST', url, headers, body, followRedirects: true } as const
    return limiter.send(() => http.send(request), readRateLimit)
  }

  let reply = await ask({ ttlSeconds: Math.max(askedLifetimeSeconds, mint.minTtlSeconds) })
  if (reply.kind === 'answer' && reply.status === 400 && !wantsTls(reply)) reply = await ask({})
  if (reply.kind === 'no-answer') return nothing(await unansweredProblem('mint', url, reply, probing))
  const [jwt] = tokensIn(reply.body)
  const iat = jwt === undefined ? undefined : readToken(jwt)?.claims?.['iat']
  const issuedAt = typeof iat === 'number' ? iat : undefined
  const clocks = findClockProblems('mint', reply, clock, issuedAt)
  const found =
    (reply.status === 404 ? await explainMissingMint(mint, reply, probing) : answerProblem(url, reply)) ??
    userProblem(mint, reply)
  if (found !== null) return nothing(found, ...clocks)
  const read = readIssued(reply, userId, token)
  const unserved = read.issued === null && read.problems.length === 0 ? [unservedProblem(url, reply)] : []
  return { ...read, problems: [...read.problems, ...unserved, ...clocks] }
}

function readIssued(
  reply: Answer,
  userId: string,
  { field, userIdClaim }: TokenConfiguration,
): MintInspection {
  const nothing = (problems: readonly Problem[]) => ({ problems, issued: null, userPaths: [] })
  if (reply.status < 200 || reply.status > 299) return nothing([])
  const problem = (message: string): Problem => ({ part: 'token', kind: 'url', message, fatal: true })
  const body = { text: reply.body, json: reply.json }
  const located = locateToken(body, field)
  const elsewhere = locateToken(body, 'auto')
  if (located.kind !== 'found') {
    if (field === 'auto' || elsewhere.kind !== 'found') return nothing([])
    const message = `token.field is ${field}; the mint's body has its token at ${elsewhere.at}: correct token.field, or remove it`
    return nothing([problem(message)])
  }
  const claims = readToken(located.token)?.claims ?? null
  const issued = { jwt: located.token, userId }
  if (claims === null) return { problems: [], issued, userPaths: [] }
  const paths = pathsHolding(claims, userId, userIdClaim)
  const others = pathsHolding(claims, userId, 'auto')
  if (userIdClaim !== 'auto' && paths.length === 0 && others.length > 0) {
    const message = `token.userIdClaim is ${userIdClaim}; the token has the userId at ${others.join(', ')}: correct token.userIdClaim, or remove it`
    return { ...nothing([problem(message)]), issued }
  }
  return { problems: [], issued, userPaths: paths }
}

function answerProblem(url: string, answer: Answer): Problem | null {
  const { status } = answer
  const problem = (kind: Problem['kind'], message: string): Problem => {
    return { part: 'mint', kind, message, fatal: true }
  }
  const explained =
    status >= 400 && status !== 400 && status !== 422 ? explainRefusal(answer, { urlKey: 'mint.url' }) : null
  if (explained !== null)
    return problem('url', `${url} returned ${status}${explained.what}${quote(answer)}: ${explained.advice}`)
  const account = accountStates[status]
  if (account !== undefined) {
    const after = headerOf(answer.headers, 'retry-after')
    const when = status === 429 && after !== undefined ? ` (Retry-After: ${after})` : ''
    return problem('key', `${url} returned ${status}${when} for mint.apiKey${quote(answer)}; ${account}`)
  }
  if (status === 502 || status === 503 || status === 504)
    return problem('peer', `${url} returned ${status}: the gateway cannot reach the mint; start the mint`)
  if (wantsTls(answer)) return problem('url', `${url} uses TLS: write https:// in mint.url`)
  if (status >= 200 && status <= 299 && isWebPage(answer) && tokensIn(answer.body).length === 0)
    return problem(
      'url',
      `${url} returned ${status} with a web page${quote(answer)}; expected an API: correct mint.url`,
    )
  return redirectProblem(url, answer)
}

/** An ordinary call that brought no token, for which the file has no fault: this is what is judged. */
function unservedProblem(url: string, answer: Answer): Problem {
  const message = `${url} returned ${answer.status}${quote(answer)} for an ordinary call, without a token: read the mint's log; a run judges this`
  return { part: 'mint', kind: 'unserved', message, fatal: false }
}

/** A refusal that speaks of the made-up user: then nothing can be judged, but it may be what is wrong with the mint. */
function userProblem({ url, userIds }: MintConfiguration, { status, body }: Answer): Problem | null {
  const isAboutUser = [400, 404, 422].includes(status) && /user/i.test(body)
  if (userIds !== undefined || !isAboutUser) return null
  const message = `${url}${mintContract.path} returned ${status} for a made-up userId; expected a token: if the service knows only its own users, or UUIDs, set mint.userIds`
  return { part: 'mint', kind: 'key', message, fatal: false }
}

/** A redirect to the same endpoint at another origin, where no key is sent. The requirements judge any other redirect. */
function redirectProblem(url: string, { status, headers }: Answer): Problem | null {
  const location = headerOf(headers, 'location') ?? ''
  if (status < 300 || status > 399 || !URL.canParse(location, url)) return null
  const target = new URL(location, url)
  if (target.origin === new URL(url).origin || !target.pathname.endsWith(mintContract.path)) return null
  const message = `${url} redirects to ${target.origin}${target.pathname}; an API key is never forwarded to another origin: set mint.url to the final address`
  return { part: 'mint', kind: 'url', message, fatal: true }
}

const { refusals } = mintContract
const accountStates: Readonly<Record<number, string>> = {
  [refusals.unknownKey]:
    'expected a valid key: correct the key, or mint.url if the key belongs to another environment',
  [refusals.trialEnded]: 'expected an account whose trial is active: use a key of a live project',
  [refusals.suspended]: 'expected an active project: use a key of a project that is not suspended',
  [refusals.atCap]: 'expected a project below its mint cap: use another key, or wait',
}

/** Paths at which an implementation may have its mint by mistake, which the requirements judge. */
const likelyPaths = [
  '/calling/token',
  '/v1/calling/token',
  '/api/calling/token',
  '/api/v2/calling/token',
  '/api/v1/token',
  '/api/v1/calling/tokens',
  '/api/v1/calling/mint',
  '/token',
  '/mint',
]

/** Decides whether a 404 means a wrong `mint.url`, or a mint at a wrong path, which is judged (null). Probes have no key. */
async function explainMissingMint(
  mint: MintConfiguration,
  answer: Answer,
  { configuration, http }: Probing,
): Promise<Problem | null> {
  const backend = configuration.backend && addressOf(configuration.backend.url)
  const deadlineMs = Math.min(configuration.limits.requestSeconds, mintProbeSeconds) * 1000
  const body = JSON.stringify({ userId: anyUserId(mint.userIds, 'tt-preflight'), ttlSeconds: 60 })
  const json = { headers: [['content-type', 'application/json']], body } as const
  const status = async (url: string, method: 'POST' | 'GET'): Promise<number | null> => {
    const content = method === 'POST' ? json : { headers: [] }
    const reply = await http.send({ to: 'mint', method, url, ...content, deadlineMs })
    return reply.kind === 'answer' ? reply.status : null
  }
  /** Says whether something is at this path: its answer is not 404, and differs from that of a random path. */
  const exists = async (prefix: string, path: string, method: 'POST' | 'GET' = 'POST'): Promise<boolean> => {
    if (addressOf(prefix + path) === backend) return false
    const [seen, random] = await Promise.all([
      status(prefix + path, method),
      status(`${prefix}/${randomUUID()}`, method),
    ])
    return seen !== null && random !== null && seen !== 404 && seen !== random
  }
  const { origin, pathname } = new URL(mint.url)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const above = segments.map((_, index) => [origin, ...segments.slice(0, index)].join('/'))
  const url = mint.url + mintContract.path
  const places = [mint.url, ...above].flatMap((prefix) => likelyPaths.map((path) => ({ prefix, path })))
  const siblings = places.filter(({ prefix, path }) => prefix + path !== url)
  const [elsewhere, ...others] = await Promise.all([
    Promise.all(above.map((prefix) => exists(prefix, mintContract.path))),
    exists(mint.url, mintContract.path, 'GET'),
    ...siblings.map(({ prefix, path }) => exists(prefix, path)),
  ])
  const better = above.find((_, place) => elsewhere[place])
  if (better !== undefined)
    return problem(`${url} returned 404, but ${better}${mintContract.path} exists: set mint.url to ${better}`)
  if (others.includes(true)) return null
  const what = isWebPage(answer) ? '404 with a web page' : '404'
  return problem(
    `${url} returned ${what}, as did all similar addresses: correct mint.url; the suite appends ${mintContract.path}`,
  )
}

function problem(message: string): Problem {
  return { part: 'mint', kind: 'url', message, fatal: true }
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
