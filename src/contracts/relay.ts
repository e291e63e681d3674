import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Party } from '../base/evidence/exchange.ts'
import type { Answer, HttpClient, Reply } from '../base/http/client.ts'
import type { HttpRequest } from '../base/http/request.ts'
import { isRecord } from '../base/tokens/decode.ts'
import type { Interaction } from './interaction.ts'
import type { Provider } from './provider.ts'
import type { StateHandler, StateOutcome } from './provider-states.ts'

/** Marks a request with its interaction on the way to the relay, which takes the mark off. */
export const markHeader = 'x-twotoken-interaction'
export const markParameter = 'twotoken:interaction'
const statePath = '/twotoken/provider-state'

/** What happened on the wire for one interaction. */
export interface Seen {
  readonly states: StateOutcome[]
  readonly replies: Reply[]
}

export interface Relay extends AsyncDisposable {
  readonly port: number
  readonly stateUrl: string
  seen(interaction: Interaction): Seen
}

export interface RelayOptions {
  readonly to: Party
  readonly http: HttpClient
  readonly handleState: StateHandler
  readonly interactions: readonly Interaction[]
  readonly provider: Pick<Provider, 'target' | 'methodFor'>
}

/**
 * Stands between the Pact core and the provider: passes every request on with its bytes unchanged, sets up the
 * provider states, and remembers both, so that a result that rests on no exchange is noticed.
 */
export async function startRelay({
  to,
  http,
  handleState,
  interactions,
  provider,
}: RelayOptions): Promise<Relay> {
  const seen = new Map<number, Seen>(interactions.map(({ number }) => [number, { states: [], replies: [] }]))

  const changeState = async (body: Buffer, response: ServerResponse) => {
    const { action, state, params } = stateChange(body)
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

  const passOn = async (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const interaction = interactions.find(({ number }) => number === Number(request.headers[markHeader]))
    const sent: HttpRequest = {
      to,
      method: interaction === undefined ? (request.method ?? 'GET') : provider.methodFor(interaction),
      url: provider.target(request.url ?? '/'),
      headers: pairsOf(request.rawHeaders).filter(([name]) => !ofThisHop.includes(name)),
      ...(body.length === 0 ? {} : { body }),
    }
    const reply = await sentOn(sent, interaction, http)
    if (interaction !== undefined) seen.get(interaction.number)?.replies.push(reply)
    if (reply.kind === 'no-answer') {
      response.destroy()
      return
    }
    for (const [name, value] of answered(reply, interaction))
      if (!ofThisHop.includes(name)) response.appendHeader(name, value)
    response.writeHead(reply.status)
    response.end(reply.body)
  }

  const server = createServer((request, response) => {
    const handle = async () => {
      const body = await bodyOf(request)
      if (request.url === statePath) await changeState(body, response)
      else await passOn(request, body, response)
    }
    handle().catch(() => response.destroy())
  })
  const port = await listening(server)
  return {
    port,
    stateUrl: `http://127.0.0.1:${port}${statePath}`,
    seen: ({ number }) => seen.get(number) ?? { states: [], replies: [] },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Redirects within the origin are followed where the contract expects success. Elsewhere a redirect may be the refusal
 * itself (to a login page), unless its status says that the request is to be repeated as it is.
 */
async function sentOn(
  request: HttpRequest,
  interaction: Interaction | undefined,
  http: HttpClient,
): Promise<Reply> {
  if ((interaction?.status ?? 0) < 300) return await http.send({ ...request, followRedirects: true })
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

/**
 * The headers of the answer. In the committed contracts the media type of an answer is not pinned, since the
 * specification says nothing of it, but the core compares no body without it: a body that is JSON is passed as JSON.
 */
function answered({ headers, json, body }: Answer, interaction: Interaction | undefined): Answer['headers'] {
  const expected = expectedMediaType(interaction)
  const isText = expected === 'text/plain' && !/^\s*[<{]/.test(body)
  if (expected === null || (json === undefined && !isText)) return headers
  return [...headers.filter(([name]) => name !== 'content-type'), ['content-type', expected]]
}

function expectedMediaType(interaction: Interaction | undefined): string | null {
  if (interaction?.own !== true) return null
  const headers = interaction.source.response?.['headers']
  const [type] = isRecord(headers) && Array.isArray(headers['Content-Type']) ? headers['Content-Type'] : []
  return typeof type === 'string' ? type : null
}

function stateChange(body: Buffer): {
  action: 'setup' | 'teardown'
  state: string
  params: Record<string, unknown>
} {
  const value: unknown = JSON.parse(body.toString('utf8'))
  const { action, state, params } = isRecord(value) ? value : {}
  return {
    action: action === 'teardown' ? 'teardown' : 'setup',
    state: typeof state === 'string' ? state : '',
    params: isRecord(params) ? params : {},
  }
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const list: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    list.push([(raw[index] ?? '').toLowerCase(), raw[index + 1] ?? ''])
  return list
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
