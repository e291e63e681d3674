import { randomUUID } from 'node:crypto'
import type { Answer, Reply } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { tokensIn } from '../../base/tokens/decode.ts'
import { composeRequest } from '../../roles/backend/compose-request.ts'
import type { BackendConfiguration } from '../../roles/backend/types.ts'
import { findClockProblems } from './clock.ts'
import { reserveMintAddress } from './mint-double-address.ts'
import { isWebPage, type Probing, wantsTls } from './probe.ts'
import { noAnswerProblem, type Problem } from './problem.ts'
import { findShortSessions } from './short-sessions.ts'
import { explainReset } from './try-connection.ts'

/** One call of the token route with alice's session, and whether the address of the mint double is free. */
export async function findBackendProblems(
  backend: BackendConfiguration,
  probing: Probing,
): Promise<Problem[]> {
  if (backend.fakeMint === undefined) return await findRouteProblems(backend, probing, () => false)
  const reserved = await reserveMintAddress(backend.fakeMint)
  if ('kind' in reserved) return [reserved, ...(await findRouteProblems(backend, probing, () => false))]
  await using address = reserved
  return await findRouteProblems(backend, probing, () => address.connections() > 0)
}

/** `askedToMint`: a backend that has called the mint has accepted alice, whatever it then answers without a mint. */
async function findRouteProblems(
  backend: BackendConfiguration,
  probing: Probing,
  askedToMint: () => boolean,
): Promise<Problem[]> {
  const { http, clock } = probing
  const { alice } = backend.sessions
  const ask = (session: string | null): Promise<Reply> =>
    http.send({
      to: 'backend',
      ...composeRequest(backend, { authorization: session === null ? null : `Bearer ${session}` }),
    })

  const reply = await ask(alice?.token ?? null)
  if (reply.kind === 'no-answer') {
    // The double is not up yet; the requirements judge a backend that hangs without a mint.
    const waitsForMint = reply.failure === 'timeout' && backend.fakeMint !== undefined
    if (waitsForMint && (await ask(null)).kind === 'answer') return []
    const failed = await explainReset(backend.url, reply, probing)
    return [noAnswerProblem('backend', 'backend.url', backend.url, failed)]
  }
  const clocks = findClockProblems('backend', reply, clock)
  const address = addressProblem(backend.url, reply)
  if (address !== null) return [address, ...clocks]
  if (alice === undefined)
    return [
      {
        part: 'backend',
        kind: 'session',
        message:
          'backend.sessions.alice is missing: add the session of a signed-in user; without it the backend stays untested',
        fatal: false,
      },
      ...clocks,
    ]
  const refused = !askedToMint() && (await isRefused(reply, () => ask(`tt-preflight-${randomUUID()}`)))
  const found = refused
    ? sessionProblem(backend, reply)
    : askedToMint()
      ? null
      : requestProblem(backend, reply)
  return [...(found === null ? [] : [found]), ...findShortSessions(backend, clock), ...clocks]
}

/** Whether alice is rejected: by status, or by the redirect that an unknown session gets. */
async function isRefused(reply: Answer, withUnknownSession: () => Promise<Reply>): Promise<boolean> {
  if (reply.status === 401 || reply.status === 403) return true
  if (reply.status < 300 || reply.status > 399) return false
  const unknown = await withUnknownSession()
  return unknown.kind === 'answer' && unknown.status === reply.status
}

function sessionProblem({ url, fakeMint }: BackendConfiguration, { status }: Answer): Problem {
  const other =
    fakeMint === undefined ? ", or check the backend's API key if it forwards the mint's response" : ''
  const wanted =
    status === 403 ? `, or add what it requires besides (a CSRF token, a tenant) to ${fixedKey}` : ''
  return {
    part: 'backend',
    kind: 'session',
    message: `${url} returned ${status} for backend.sessions.alice; expected a valid session: sign in again and replace it${wanted}${other}`,
    fatal: true,
  }
}

const fixedKey = 'backend.request'

/** What a call lacks besides the session, where the status says that something is missing. */
const lacking: Readonly<Record<number, string>> = {
  400: 'if it requires a header, a parameter or a body, add it to',
  415: 'if it requires a content type, write body: { json: {} } in',
  419: 'if it requires a CSRF token, add its header and cookie to',
  422: 'if it requires a field, add it to',
  428: 'if it requires a header, add it to',
}

/** A refusal that is not about the session: nothing could be judged, but the implementation may be what is wrong. */
function requestProblem({ url }: BackendConfiguration, { status }: Answer): Problem | null {
  const advice = lacking[status]
  if (advice === undefined) return null
  const message = `${url} returned ${status} for backend.sessions.alice; expected a token: ${advice} ${fixedKey}`
  return { part: 'backend', kind: 'session', message, fatal: false }
}

function addressProblem(url: string, answer: Answer): Problem | null {
  const { status, headers } = answer
  const problem = (message: string): Problem => ({ part: 'backend', kind: 'url', message, fatal: true })
  if (status === 404)
    return problem(`${url} returned 404; expected the token route: correct backend.url (or backend.method)`)
  if (wantsTls(answer)) return problem(`${url} uses TLS: write https:// in backend.url`)
  if (status >= 200 && status <= 299 && isWebPage(answer) && tokensIn(answer.body).length === 0)
    return problem(`${url} returned ${status} with a web page; expected the token route: correct backend.url`)
  const location = headerOf(headers, 'location') ?? ''
  if (status < 300 || status > 399 || !URL.canParse(location, url)) return null
  const [from, to] = [new URL(url), new URL(location, url)]
  if (from.origin === to.origin || from.pathname !== to.pathname) return null
  return problem(
    `${url} redirects to ${to.origin}${to.pathname}; a session is never forwarded to another origin: set backend.url to that address`,
  )
}
