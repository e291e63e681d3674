import type { HttpRequest } from '../../base/http/client.ts'
import { type Headers, headerOf } from '../../base/http/headers.ts'
import { isInBraces } from '../../base/schema/unfilled-placeholders.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import type { BackendConfiguration, FixedRequest } from './configuration.ts'

/** Parts of one call of the token route, apart from those that every call carries. */
export interface RouteCall {
  /** The whole Authorization header; `null` leaves it out. */
  readonly authorization: string | null
  readonly method?: string
  readonly headers?: Headers
  /** By name, or as pairs where a name comes more than once. */
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly body?: { readonly text: string; readonly contentType: string } | undefined
  /** Fills `{userId}` in what every call carries; that of alice where absent. */
  readonly userId?: string | undefined
  /** Another path, made of the route's own. */
  readonly path?: (usual: string) => string
  /**
   * Share of `backend.request` that goes along: all by default; a page of another site sends the cookies at
   * most.
   */
  readonly fixed?: 'all' | 'cookies' | 'none'
}

type Composed = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>

const nothing: FixedRequest = { headers: {}, cookies: {}, query: {} }

/**
 * A call of the token route with what `backend.request` says. What the call itself names is added to it: its cookies and
 * fields go beside the fixed ones, and a header or field of the same name takes their place.
 */
export function composeRequest(
  backend: Pick<BackendConfiguration, 'url' | 'method' | 'request' | 'sessions'>,
  call: RouteCall,
): Composed {
  const { method = backend.method, authorization, headers: own = [] } = call
  const userId = call.userId ?? backend.sessions.alice?.userId
  const written = backend.request ?? nothing
  const fixed = partOf(userId === undefined ? written : filledWith(userId, written), call.fixed ?? 'all')
  const body = bodyOf(fixed.body?.json, call.body, method)
  const url = new URL(backend.url)
  if (call.path !== undefined) url.pathname = call.path(url.pathname)
  for (const [name, value] of [...Object.entries(fixed.query), ...pairsOf(call.query ?? [])])
    url.searchParams.append(name, value)

  const given: Headers = [
    ...(body === undefined ? [] : [['content-type', body.contentType] as const]),
    ...own.filter(([name]) => name.toLowerCase() !== 'cookie'),
  ]
  const kept = Object.entries(fixed.headers).filter(
    ([name]) => headerOf(given, name.toLowerCase()) === undefined && isSent(name, method),
  )
  const cookies = [
    ...Object.entries(fixed.cookies).map(([name, value]) => `${name}=${value}`),
    ...own.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value),
  ]
  return {
    method,
    url: url.href,
    headers: [
      ...(authorization === null ? [] : [['authorization', authorization] as const]),
      ...(headerOf([...kept, ...given], 'accept') === undefined
        ? [['accept', 'application/json'] as const]
        : []),
      ...kept,
      ...given,
      ...(cookies.length === 0 ? [] : [['cookie', cookies.join('; ')] as const]),
    ],
    body: body?.text,
  }
}

/** A request that is written elsewhere, with what `backend.request` says. Only calls of the token route carry it. */
export function completeRequest(
  backend: Pick<BackendConfiguration, 'url' | 'request' | 'sessions'>,
  request: HttpRequest,
): HttpRequest {
  const [route, asked] = [new URL(backend.url), new URL(request.url)]
  if (backend.request === undefined || route.origin + route.pathname !== asked.origin + asked.pathname)
    return request
  const { body, method, headers } = request
  const contentType = headerOf(headers, 'content-type')
  const text = typeof body === 'object' ? Buffer.from(body).toString('utf8') : body
  const called = composeRequest(
    { ...backend, url: request.url, method: 'POST' },
    {
      authorization: headerOf(headers, 'authorization') ?? null,
      method,
      headers: headers.filter(([name]) => !['authorization', 'content-type'].includes(name)),
      body: text === undefined ? undefined : { text, contentType: contentType ?? 'application/json' },
    },
  )
  return { ...request, ...called }
}

/** An app may state its own id in each call: `{userId}` is that of the user whose session goes along. */
function filledWith(userId: string, { headers, cookies, query, body }: FixedRequest): FixedRequest {
  // Only these bytes may stand in a header.
  const inHeader = /^[\x21-\x7e]+$/.test(userId) ? userId : encodeURIComponent(userId)
  return {
    headers: filled(headers, inHeader),
    cookies: filled(cookies, encodeURIComponent(userId)),
    query: filled(query, userId),
    body: body && filled(body, userId),
  }
}

function filled<Value>(value: Value, userId: string): Value {
  return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string'
      ? // A query may ask for a field of that name.
        one.replaceAll('{userId}', (name, place: number) => (isInBraces(one, place) ? name : userId))
      : one,
  )
}

function partOf(fixed: FixedRequest, part: 'all' | 'cookies' | 'none'): FixedRequest {
  if (part === 'all') return fixed
  return part === 'none' ? nothing : { ...nothing, cookies: fixed.cookies }
}

/** A call without a body declares no type of one. */
function isSent(name: string, method: string): boolean {
  return name.toLowerCase() !== 'content-type' || hasBody(method)
}

function hasBody(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method.toUpperCase())
}

type Body = NonNullable<RouteCall['body']>
type Fields = NonNullable<FixedRequest['body']>['json']

/** The fixed fields in the form of the call's own body, so that it is accepted as the app's would be. */
function bodyOf(json: Fields | undefined, own: Body | undefined, method: string): Body | undefined {
  if (json === undefined) return own
  if (own === undefined)
    return hasBody(method) ? { text: JSON.stringify(json), contentType: 'application/json' } : undefined
  const { contentType, text } = own
  const form = Object.entries(json).map(([name, value]) => [name, textOf(value)] as const)
  if (contentType === 'application/json') return { contentType, text: withFields(text, json) }
  if (contentType === 'application/x-www-form-urlencoded')
    return {
      contentType,
      text: [new URLSearchParams(form.map(([...pair]) => pair)).toString(), text].filter(Boolean).join('&'),
    }
  const boundary = /^multipart\/form-data; *boundary=(\S+)$/.exec(contentType)?.[1]
  if (boundary === undefined) return own
  const parts = form.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { contentType, text: parts.join('') + text }
}

/** Adds fields to a JSON object. Any other text is intended, and stays as it is. */
function withFields(text: string, fields: Readonly<Record<string, unknown>>): string {
  try {
    const own: unknown = JSON.parse(text)
    return isRecord(own) ? JSON.stringify({ ...fields, ...own }) : text
  } catch {
    return text
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function pairsOf(query: NonNullable<RouteCall['query']>): readonly (readonly [string, string])[] {
  return Array.isArray(query) ? query : Object.entries(query)
}
