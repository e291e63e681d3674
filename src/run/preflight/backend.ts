import { randomUUID } from 'node:crypto'
import type { Answer } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import type { TestableCertificate } from '../../base/tls/certificates.ts'
import { isRecord, tokensIn } from '../../base/tokens/decode.ts'
import type { BackendConfiguration } from '../../roles/backend/configuration.ts'
import { showsKey } from '../../roles/backend/find-in-reply.ts'
import type { ScriptedMint } from '../../roles/mint/double.ts'
import { type Asked, type Asking, askedUsers, createAsking, isAnswered, isSuccess } from './ask-sessions.ts'
import { findShortSessions } from './credentials.ts'
import { explainRefusal, quote } from './explain-refusal.ts'
import { findDoubleProblems, findForeignCalls, withListeningDouble } from './listening-double.ts'
import {
  findClockProblems,
  isWebPage,
  type JoinToken,
  type Probing,
  unansweredProblem,
  wantsTls,
} from './probe.ts'
import type { Problem } from './problem.ts'
import { findUserProblems, type UserPaths } from './users.ts'

export interface BackendOptions {
  readonly doubleCertificate?: TestableCertificate | undefined
  /** True where the double may have the real mint issue its tokens. */
  readonly mayMint: boolean
  /** False where the mint itself gave no token for an ordinary call: a backend that asks it has none, either. */
  readonly mintServes: boolean
  readonly userPaths: UserPaths
}

export interface BackendInspection {
  readonly problems: readonly Problem[]
  /** A token of the real mint that alice got; null where there is none. */
  readonly issued: JoinToken | null
}

/** One ordinary request for each session, while the mint double listens where the backend was pointed at it. */
export async function inspectBackend(
  backend: BackendConfiguration,
  probing: Probing,
  options: BackendOptions,
): Promise<BackendInspection> {
  const inspect = (double: ScriptedMint | null) => inspectRoute(backend, probing, { ...options, double })
  if (backend.fakeMint === undefined) return await inspect(null)
  const { doubleCertificate: certificate, mayMint: forwards } = options
  const inspected = await withListeningDouble(backend.fakeMint, probing, { certificate, forwards }, inspect)
  return 'problems' in inspected ? inspected : { problems: [inspected], issued: null }
}

async function inspectRoute(
  backend: BackendConfiguration,
  probing: Probing,
  options: BackendOptions & { readonly double: ScriptedMint | null },
): Promise<BackendInspection> {
  const { double, userPaths, doubleCertificate, mintServes } = options
  const { clock } = probing
  const asking = createAsking(backend, probing, double)
  const nothing = (...problems: readonly Problem[]) => ({ problems, issued: null })
  const alice = await asking.ask('alice')
  if (alice === undefined) return nothing(...(await findWithoutAlice(backend, asking, probing)))
  const answersStrangers = isTimedOut(alice) && (await asking.askOtherwise(null)).kind === 'answer'
  // One node of several may be dead.
  const first = answersStrangers ? ((await asking.ask('alice')) ?? alice) : alice
  const { reply } = first
  if (reply.kind === 'no-answer') {
    if (double === null || !answersStrangers || !isTimedOut(first))
      return nothing(await unansweredProblem('backend', backend.url, reply, probing))
    // A hang after the mint has answered is the backend's own fault.
    const hasConnected = alice.hasConnected || first.hasConnected
    return nothing(hangProblem(backend, hasConnected, probing))
  }
  const clocks = findClockProblems('backend', reply, clock)
  const address = addressProblem(backend.url, reply) ?? (await methodProblem(backend, reply, asking))
  if (address !== null) return nothing(address, ...clocks)

  const asked: Asked<Answer>[] = [{ ...first, reply }]
  for (const name of askedUsers.slice(1)) {
    const one = await asking.ask(name)
    if (one !== undefined && isAnswered(one)) asked.push(one)
  }
  const apiKey = backend.fakeMint?.apiKey ?? probing.configuration.mint?.apiKey
  const leaking = asked.filter(({ reply }) => showsKey(reply, apiKey))
  const refused: Refused[] = []
  const served: Asked<Answer>[] = []
  for (const one of asked) {
    const refusal = await explainUnserved(backend, one, { asking, mintServes })
    if (refusal === null) served.push(one)
    else refused.push(refusal)
  }
  const used = { isTrusted: doubleCertificate !== undefined, mintKey: probing.configuration.mint?.apiKey }
  const isCalled = served.some(({ calls }) => calls.length > 0)
  const isJudgedAnyway = leaking.length > 0 && !isCalled
  const reached = double === null || isJudgedAnyway ? [] : findDoubleProblems(served, backend.fakeMint, used)
  const users = reached.length > 0 ? [] : await findUserProblems(served, asking, { paths: userPaths, clock })
  const [jwt] = tokensIn(reply.body)
  return {
    problems: [
      ...leakProblems(leaking, backend.url),
      ...(leaking.length > 0 ? [] : told(refused, backend.url)),
      ...(reached.length > 0 || leaking.length > 0 ? [] : findUnserved(served, backend.url)),
      ...reached,
      ...(double === null ? [] : findForeignCalls(served, backend.fakeMint)),
      ...users,
      ...findShortSessions(backend, clock),
      ...clocks,
    ],
    issued:
      double === null && jwt !== undefined && isSuccess(reply) ? { jwt, userId: first.session.userId } : null,
  }
}

function isTimedOut({ reply }: Asked): boolean {
  return reply.kind === 'no-answer' && reply.failure === 'timeout'
}

async function findWithoutAlice(
  backend: BackendConfiguration,
  asking: Asking,
  probing: Probing,
): Promise<Problem[]> {
  const reply = await asking.askOtherwise(null)
  if (reply.kind === 'no-answer') return [await unansweredProblem('backend', backend.url, reply, probing)]
  const address = addressProblem(backend.url, reply)
  const clocks = findClockProblems('backend', reply, probing.clock)
  if (address !== null) return [address, ...clocks]
  const message =
    'backend.sessions.alice is missing: add the session of a signed-in user; without it the backend stays untested'
  return [{ part: 'backend', kind: 'session', message, fatal: false }, ...clocks]
}

/** Advice on a call that lacks something besides the session, by the status that says so. */
const lacking: Readonly<Record<number, string>> = {
  400: 'if it requires a header, a parameter or a body, add it to backend.request',
  422: 'if it requires a field, add it to backend.request',
  428: 'if it requires a header, add it to backend.request',
}

/** A session that got no token, where that is no failure of the backend. */
interface Refused {
  readonly key: string
  readonly status: number
  /** Completes "… returned 403 for …", where the answer says more. */
  readonly how: string
  advice(keys: string): string
}

/** Null where it is judged. */
async function explainUnserved(
  { fakeMint }: BackendConfiguration,
  { name, reply, hasConnected }: Asked<Answer>,
  { asking, mintServes }: Pick<BackendOptions, 'mintServes'> & { readonly asking: Asking },
): Promise<Refused | null> {
  // A backend that has asked its mint has accepted the session.
  if (hasConnected || isSuccess(reply)) return null
  const { status } = reply
  const key = `backend.sessions.${name}`
  const explained = explainRefusal(reply, { urlKey: 'backend.url', sessionKey: 'backend.sessions' })
  if (explained !== null)
    return { key, status, how: explained.what, advice: () => `${quote(reply)}: ${explained.advice}` }
  const plain = { key, status, how: '' }
  if (await isRefused(reply, asking)) {
    const wanted =
      status === 403 ? ', or add what else it requires (CSRF token, tenant) to backend.request' : ''
    const other =
      fakeMint === undefined && status !== 403
        ? ", or check the backend's API key if it forwards the mint's response"
        : ''
    const advice = (keys: string) =>
      `${quote(reply)}; expected a valid session: sign in again and replace the token of ${keys}${wanted}${other}`
    return { ...plain, advice }
  }
  const missing = lacking[status]
  if (missing !== undefined)
    return { ...plain, advice: () => `${quote(reply)}; expected a token: ${missing}` }
  if (fakeMint !== undefined || !mintServes || ![502, 503, 504].includes(status)) return null
  const advice = () =>
    `${quote(reply)}; expected a token: correct the backend's mint address and API key, or read its log`
  return { ...plain, advice }
}

function told(refused: readonly Refused[], url: string): Problem[] {
  const kinds = Map.groupBy(refused, ({ status, how }) => `${status}${how}`)
  return [...kinds.values()].flatMap((alike): Problem[] => {
    const [first] = alike
    if (first === undefined) return []
    const keys = alike.map(({ key }) => key).join(', ')
    const message = `${url} returned ${first.status} for ${keys}${first.how}${first.advice(keys)}`
    return [{ part: 'backend', kind: 'session', message, fatal: true }]
  })
}

/** An ordinary call that brought no token, for which the file has no fault: this is what is judged. */
function findUnserved(served: readonly Asked<Answer>[], url: string): Problem[] {
  const hasToken = ({ body, json }: Answer) =>
    tokensIn(body).length > 0 || (isRecord(json) && typeof json['token'] === 'string')
  const failed = served.filter(({ reply }) => !isSuccess(reply) || !hasToken(reply))
  const [first] = failed
  if (first === undefined) return []
  const keys = failed.map(({ name }) => `backend.sessions.${name}`).join(', ')
  const message = `${url} returned ${first.reply.status}${quote(first.reply)} for ${keys}, without a token: read the backend's log; a run judges this`
  return [{ part: 'backend', kind: 'unserved', message, fatal: false }]
}

/** A backend that shows its key is judged, whether or not it calls the double or takes the session. */
function leakProblems(leaking: readonly Asked<Answer>[], url: string): Problem[] {
  if (leaking.length === 0) return []
  const keys = leaking.map(({ name }) => `backend.sessions.${name}`).join(', ')
  const message = `${url} returned the API key for ${keys}: remove it from the answer; a run judges this (BACK-08)`
  return [{ part: 'backend', kind: 'unserved', message, fatal: false }]
}

/** A backend that waits for another mint looks like one that never answers. */
function hangProblem(
  { url, fakeMint }: BackendConfiguration,
  hasConnected: boolean,
  { configuration: { limits } }: Probing,
): Problem {
  const address = `${fakeMint?.host}:${fakeMint?.port}`
  const hangs = `${url} did not answer backend.sessions.alice in ${limits.requestSeconds} s`
  const message = hasConnected
    ? `${hangs}, although its mint call was answered: read the backend's log; a run judges this`
    : `no mint call reached ${address} (backend.fakeMint.listen), and ${hangs}: point the backend at ${fakeMint?.tls ? 'https' : 'http'}://${address}, and restart it`
  return { part: 'backend', kind: 'unserved', message, fatal: !hasConnected }
}

/** Says whether a session is rejected: by status, or by the redirect that an unknown session gets. */
async function isRefused(reply: Answer, asking: Asking): Promise<boolean> {
  if (reply.status === 401 || reply.status === 403) return true
  if (reply.status < 300 || reply.status > 399) return false
  const unknown = await asking.askOtherwise(`tt-preflight-${randomUUID()}`)
  return unknown.kind === 'answer' && unknown.status === reply.status
}

function addressProblem(url: string, answer: Answer): Problem | null {
  const { status, headers } = answer
  const problem = (message: string): Problem => ({ part: 'backend', kind: 'url', message, fatal: true })
  if (status === 404)
    return problem(`${url} returned 404; expected the token route: correct backend.url (or backend.method)`)
  if (wantsTls(answer)) return problem(`${url} uses TLS: write https:// in backend.url`)
  if (status === 426) return problem(`${url} returned 426, as a WebSocket service does: correct backend.url`)
  if (status >= 200 && status <= 299 && isWebPage(answer) && tokensIn(answer.body).length === 0) {
    const explained = explainRefusal(answer, {
      urlKey: 'backend.url',
      sessionKey: 'backend.sessions.alice.token',
    })
    return problem(
      explained === null
        ? `${url} returned ${status} with a web page${quote(answer)}; expected the token route: correct backend.url`
        : `${url} returned ${status}${explained.what}${quote(answer)}: ${explained.advice}`,
    )
  }
  const location = headerOf(headers, 'location') ?? ''
  if (status < 300 || status > 399 || !URL.canParse(location, url)) return null
  const [from, to] = [new URL(url), new URL(location, url)]
  if (from.origin === to.origin || from.pathname !== to.pathname) return null
  return problem(
    `${url} redirects to ${to.origin}${to.pathname}; a session is never forwarded to another origin: set backend.url to that address`,
  )
}

/** A route that exists for the other method alone. */
async function methodProblem(
  { url, method }: BackendConfiguration,
  { status }: Answer,
  asking: Asking,
): Promise<Problem | null> {
  if (status !== 405) return null
  const other = method === 'POST' ? 'GET' : 'POST'
  const reply = await asking.askOtherwise(null, other)
  if (reply.kind === 'no-answer' || reply.status === 404 || reply.status === 405) return null
  const message = `${url} returned 405 for ${method}, and ${reply.status} for ${other}: set backend.method to ${other}`
  return { part: 'backend', kind: 'url', message, fatal: true }
}
