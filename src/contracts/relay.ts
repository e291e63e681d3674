import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Party } from '../base/evidence/exchange.ts'
import type { Answer, HttpClient, HttpRequest, Reply } from '../base/http/client.ts'
import { pairsOf, readBody } from '../base/http/incoming.ts'
import { startListening } from '../base/http/listening.ts'
import { isLoopbackName, namedHost, refuseHost, refuseTarget } from '../base/http/requested-address.ts'
import { isRecord } from '../base/tokens/decode.ts'
import type { Interaction } from './interaction.ts'
import type { Provider } from './provider.ts'
import type { StateHandler, StateOutcome } from './provider-states.ts'

/** Marks a request with its interaction; the relay removes the mark. */
export const markHeader = 'x-twotoken-interaction'
export const markParameter = 'twotoken:interaction'
/** More than any pact states. */
const longestBody = 16 * 1_048_576

export interface Seen {
  readonly states: StateOutcome[]
  readonly replies: Reply[]
}

interface RelayOptions {
  readonly to: Party
  readonly http: HttpClient
  readonly handleState: StateHandler
  readonly interactions: readonly Interaction[]
  readonly provider: Pick<Provider, 'target' | 'methodFor' | 'complete'>
}

/** Forwards the Pact core's bytes unchanged, sets up states, and records both: a result without an exchange is noticed. */
export async function startRelay({ to, http, handleState, interactions, provider }: RelayOptions) {
  // A state runs a command of the user: no other program, and no page of a browser, can guess its path.
  const statePath = `/twotoken/provider-state/${randomBytes(24).toString('base64url')}`
  const seen = new Map<number, Seen>(interactions.map(({ number }) => [number, { states: [], replies: [] }]))

  const changeState = async (body: Buffer, response: ServerResponse) => {
    const { action, state, params } = parseStateChange(body)
    const { [markParameter]: number, ...own } = params
    // The core also announces that an interaction has no state.
    const outcome: StateOutcome =
      state === ''
        ? { kind: 'ready', values: {}, vouched: true }
        : await handleState({ name: state, params: own }, action)
    if (action === 'setup' || outcome.kind === 'broken') seen.get(Number(number))?.states.push(outcome)
    // The core would retry on 5xx for over a minute.
    response.writeHead(outcome.kind === 'ready' ? 200 : 422, { 'content-type': 'application/json' })
    response.end(JSON.stringify(outcome.kind === 'ready' ? outcome.values : {}))
  }

  const forward = async (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const interaction = interactions.find(({ number }) => number === Number(request.headers[markHeader]))
    if (interaction === undefined) return void response.writeHead(404).end()
    const sent: HttpRequest = {
      to,
      method: provider.methodFor(interaction),
      url: provider.target(request.url ?? '/'),
      headers: pairsOf(request.rawHeaders).filter(([name]) => !ofThisHop.includes(name)),
      body: body.length === 0 ? undefined : body,
    }
    const reply = await sendOn(provider.complete(sent), interaction, http)
    seen.get(interaction.number)?.replies.push(reply)
    if (reply.kind === 'no-answer') return void response.destroy()
    for (const [name, value] of headersFor(reply, interaction))
      if (!ofThisHop.includes(name)) response.appendHeader(name, value)
    response.writeHead(reply.status)
    response.end(reply.body)
  }

  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/')) return refuseTarget(response)
    const name = namedHost(request)?.hostname
    if (name === undefined || !isLoopbackName(name)) return refuseHost(response)
    const handle = async () => {
      const body = await readBody(request, longestBody)
      if (request.url === statePath) await changeState(body, response)
      else await forward(request, body, response)
    }
    return void handle().catch(() => response.destroy())
  })
  const listening = await startListening(server, { host: '127.0.0.1', port: 0 })
  return {
    port: listening.port,
    stateUrl: `http://127.0.0.1:${listening.port}${statePath}`,
    seen: ({ number }: Interaction): Seen => seen.get(number) ?? { states: [], replies: [] },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** Follows redirects where the contract expects success. Elsewhere one may be the refusal itself, unless it asks to repeat. */
async function sendOn(request: HttpRequest, { status }: Interaction, http: HttpClient): Promise<Reply> {
  if (status < 300) return await http.send({ ...request, followRedirects: true })
  const reply = await http.send(request)
  const repeated = reply.kind === 'answer' && (reply.status === 307 || reply.status === 308)
  return repeated ? await http.send({ ...request, followRedirects: true }) : reply
}

const ofThisHop = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
  'upgrade',
  'te',
  markHeader,
]

/** The headers of the answer. The contracts pin no media type, and the core compares no body without one: it is declared here. */
function headersFor(
  { status, headers: given, json, body }: Answer,
  interaction: Interaction,
): Answer['headers'] {
  // The core would follow a redirect to a login page; here it is the answer itself.
  const isRedirect = interaction.own && status >= 300 && status <= 399
  const headers = isRedirect ? given.filter(([name]) => name !== 'location') : given
  const expected = expectedMediaType(interaction)
  const isText = expected === 'text/plain' && !/^\s*[<{]/.test(body)
  if (expected === null || (json === undefined && !isText)) return headers
  return [...headers.filter(([name]) => name !== 'content-type'), ['content-type', expected]]
}

function expectedMediaType({ own, source }: Interaction): string | null {
  if (!own) return null
  const headers = source.response?.['headers']
  const [type] = isRecord(headers) && Array.isArray(headers['Content-Type']) ? headers['Content-Type'] : []
  return typeof type === 'string' ? type : null
}

function parseStateChange(body: Buffer) {
  const value: unknown = JSON.parse(body.toString('utf8'))
  const { action, state, params } = isRecord(value) ? value : {}
  return {
    action: action === 'teardown' ? ('teardown' as const) : ('setup' as const),
    state: typeof state === 'string' ? state : '',
    params: isRecord(params) ? params : {},
  }
}
