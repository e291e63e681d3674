import { TwotokenError } from '../base/errors.ts'
import type { HttpClient, HttpRequest, Reply } from '../base/http/client.ts'
import { parsedJson } from '../base/http/incoming.ts'
import { isRecord } from '../base/tokens/decode.ts'
import { locateToken } from '../base/tokens/locate-token.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { mintBody, mintContract, presentKey } from '../contract/mint.ts'
import { completeRequest, composeRequest } from '../roles/backend/compose-request.ts'
import type { BodyShape } from '../roles/mint/body-shape.ts'
import type { UserIds } from '../roles/mint/configuration.ts'
import { anyUserId } from '../roles/mint/user-ids.ts'
import type { Interaction } from './interaction.ts'
import type { PactFile } from './pact-file.ts'

export interface Provider {
  /** The body shape in which a mint carries the token. */
  readonly shape: Shape
  /** The address at the provider of a path and query in a pact. */
  target(pathAndQuery: string): string
  /** The method in use where a committed contract states one only as an example. */
  methodFor(interaction: Interaction): string
  /** The request with what every call of this provider carries besides. */
  complete(request: HttpRequest): HttpRequest
  /** Why an interaction is not verified, or `null`. */
  doesNotApply(interaction: Interaction): string | null
  readonly skippedAs: 'not-applicable' | 'untested'
}

/** `unknown` where no token was found; `elsewhere` where it is at no place that the contracts know. */
export type Shape = Exclude<BodyShape, 'both'> | 'unknown' | { readonly elsewhere: string }

const routeOfPact = '/calling/token'

/** Asks the provider once; throws `precondition` where its address gives no answer. */
export async function reach(
  role: 'mint' | 'backend',
  configuration: Configuration,
  http: HttpClient,
): Promise<Provider> {
  return role === 'mint' ? await reachMint(configuration, http) : await reachBackend(configuration, http)
}

async function reachMint({ mint, token }: Configuration, http: HttpClient): Promise<Provider> {
  if (mint === undefined) throw new TwotokenError('usage', 'no mint is given; use --url or mint.url')
  const answer = await ask(http, {
    to: 'mint',
    method: mintContract.method,
    url: mint.url + mintContract.path,
    headers: [
      ...(mint.apiKey === '' ? [] : [[mintContract.key.header, presentKey(mint.apiKey)] as const]),
      ['content-type', 'application/json'],
    ],
    body: mintBody(anyUserId(mint.userIds, 'user-1'), 900),
  })
  const shape = shapeOf(answer, token.field)
  return {
    shape,
    target: (pathAndQuery) => mint.url + pathAndQuery,
    methodFor: ({ method }) => method,
    complete: (request) => (mint.userIds === undefined ? request : withKnownUser(request, mint.userIds)),
    doesNotApply: ({ own, status }) =>
      own && status < 300 && typeof shape === 'object'
        ? `the token is at ${shape.elsewhere}; the contracts read token, jwt or the whole body`
        : null,
    skippedAs: 'untested',
  }
}

async function reachBackend({ backend }: Configuration, http: HttpClient): Promise<Provider> {
  if (backend === undefined) throw new TwotokenError('usage', 'no backend is given; use --url or backend.url')
  const { url, method } = backend
  await ask(http, { to: 'backend', ...composeRequest(backend, { authorization: null }) })
  const route = new URL(url)
  return {
    shape: 'unknown',
    target(pathAndQuery) {
      const asked = new URL(pathAndQuery, route.origin)
      return asked.pathname === routeOfPact
        ? route.origin + route.pathname + (asked.search === '' ? route.search : asked.search)
        : route.origin + pathAndQuery
    },
    // A refusal is the same by either method; which one succeeds is a contract of its own.
    methodFor: ({ own, status, method: stated }) => (own && status >= 400 ? method : stated),
    complete: (request) => completeRequest(backend, request),
    doesNotApply: ({ own, status, method: stated }) =>
      own && status < 300 && stated !== method ? `the route is used by ${method}` : null,
    skippedAs: 'not-applicable',
  }
}

async function ask(http: HttpClient, request: HttpRequest): Promise<Reply> {
  const reply = await http.send({ ...request, followRedirects: request.to === 'mint' })
  if (reply.kind === 'no-answer')
    throw new TwotokenError(
      'precondition',
      `nothing was verified: the ${request.to} at ${new URL(request.url).origin} ${reply.message}; expected an answer from --url`,
    )
  return reply
}

/** A contract names a user of its own, for whom this mint may issue nothing. */
function withKnownUser(request: HttpRequest, userIds: UserIds): HttpRequest {
  if (request.body === undefined || !request.url.endsWith(mintContract.path)) return request
  const text = typeof request.body === 'string' ? request.body : Buffer.from(request.body).toString('utf8')
  const body = parsedJson(text)
  const { user } = mintContract.request
  const named = isRecord(body) ? body[user] : undefined
  if (!isRecord(body) || typeof named !== 'string' || named === '') return request
  return { ...request, body: JSON.stringify({ ...body, [user]: anyUserId(userIds, named) }) }
}

function shapeOf(reply: Reply, field: string): Shape {
  if (reply.kind === 'no-answer' || reply.status < 200 || reply.status > 299) return 'unknown'
  const located = locateToken({ text: reply.body, json: reply.json }, field)
  if (located.kind !== 'found') return 'unknown'
  switch (located.at.replace(/^\$\.?(?=token$|jwt$)/, '')) {
    case 'token':
      return 'token'
    case 'jwt':
      return 'jwt'
    case 'whole body':
    case '$':
      return reply.json === undefined ? 'bare-text' : 'json-string'
    default:
      return { elsewhere: located.at }
  }
}

const consumerByShape = /^backend-(token|jwt|json-string|bare-text)$/

/** Keeps the contract with the given shape, of those that differ only in the body shape of the mint. */
export function selectByShape(pacts: readonly PactFile[], shape: Shape): readonly PactFile[] {
  const shaped = pacts.filter(({ consumer }) => consumerByShape.test(consumer))
  if (shaped.length < 2) return pacts
  const wanted = `backend-${typeof shape === 'object' || shape === 'unknown' ? 'token' : shape}`
  return pacts.filter(({ consumer }) => !consumerByShape.test(consumer) || consumer === wanted)
}
