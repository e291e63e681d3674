import { randomUUID } from 'node:crypto'
import type { Answer, Reply } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { tokensIn } from '../../base/tokens/decode.ts'
import type { BackendConfiguration } from '../../roles/backend/types.ts'
import { clockProblems } from './clock.ts'
import { openMintDoor } from './mint-double-address.ts'
import type { Probing } from './probe.ts'
import { noAnswerProblem, type Problem } from './problem.ts'
import { isWebPage, wantsTls } from './web-page.ts'

/** One call of the token route with alice's session, and whether the address of the mint double is free. */
export async function backendProblems(backend: BackendConfiguration, probing: Probing): Promise<Problem[]> {
  if (backend.fakeMint === undefined) return await routeProblems(backend, probing, () => false)
  const door = await openMintDoor(backend.fakeMint)
  if ('kind' in door) return [door, ...(await routeProblems(backend, probing, () => false))]
  await using open = door
  return await routeProblems(backend, probing, () => open.knocks() > 0)
}

/** `askedToMint`: a backend that has gone to the mint has let alice in, whatever it then answers without a mint. */
async function routeProblems(
  backend: BackendConfiguration,
  { http, clock }: Probing,
  askedToMint: () => boolean,
): Promise<Problem[]> {
  const { alice } = backend.sessions
  const ask = (session: string | null): Promise<Reply> =>
    http.send({
      to: 'backend',
      method: backend.method,
      url: backend.url,
      headers: [
        ...(session === null ? [] : [['authorization', `Bearer ${session}`] as const]),
        ['accept', 'application/json'],
      ],
    })

  const reply = await ask(alice?.token ?? null)
  if (reply.kind === 'no-answer') {
    // The double is not up yet, and a backend that hangs without a mint is for the requirements to judge.
    const waitsForMint = reply.failure === 'timeout' && backend.fakeMint !== undefined
    if (waitsForMint && (await ask(null)).kind === 'answer') return []
    return [noAnswerProblem('backend', 'backend.url', backend.url, reply)]
  }
  const clocks = clockProblems('backend', reply, clock)
  const address = addressProblem(backend.url, reply)
  if (address !== null) return [address, ...clocks]
  if (alice === undefined)
    return [
      {
        part: 'backend',
        kind: 'session',
        message:
          'backend.sessions.alice is missing; expected the session of a logged-in user: without it nothing of the backend is judged',
        fatal: false,
      },
      ...clocks,
    ]
  const refused = !askedToMint() && (await isRefused(reply, () => ask(`tt-preflight-${randomUUID()}`)))
  return [...(refused ? [sessionProblem(backend, reply)] : []), ...clocks]
}

/** Whether alice is not let in: said plainly, or sent where a stranger is sent. */
async function isRefused(reply: Answer, asStranger: () => Promise<Reply>): Promise<boolean> {
  if (reply.status === 401 || reply.status === 403) return true
  if (reply.status < 300 || reply.status > 399) return false
  const stranger = await asStranger()
  return stranger.kind === 'answer' && stranger.status === reply.status
}

function sessionProblem({ url, fakeMint }: BackendConfiguration, { status }: Answer): Problem {
  const other = fakeMint === undefined ? ", or the backend's own key if it hands the mint's answer on" : ''
  return {
    part: 'backend',
    kind: 'session',
    message: `${url} answered ${status} to backend.sessions.alice; expected a session that is logged in: sign in anew and renew it${other}`,
    fatal: true,
  }
}

function addressProblem(url: string, answer: Answer): Problem | null {
  const { status, headers } = answer
  const problem = (message: string): Problem => ({ part: 'backend', kind: 'url', message, fatal: true })
  if (status === 404)
    return problem(`${url} answered 404; expected the token route: correct backend.url (or backend.method)`)
  if (wantsTls(answer))
    return problem(`${url} speaks TLS; expected plain HTTP: write https:// in backend.url`)
  if (status >= 200 && status <= 299 && isWebPage(answer) && tokensIn(answer.body).length === 0)
    return problem(`${url} answered ${status} with a web page; expected the token route: correct backend.url`)
  const location = headerOf(headers, 'location') ?? ''
  if (status < 300 || status > 399 || !URL.canParse(location, url)) return null
  const [from, to] = [new URL(url), new URL(location, url)]
  if (from.origin === to.origin || from.pathname !== to.pathname) return null
  return problem(
    `${url} redirects to ${to.origin}${to.pathname}; expected an answer, since no session is sent on to another origin: write that address in backend.url`,
  )
}
