import type { Headers } from '../../base/http/headers.ts'
import type { AttemptRequest, Carriage, MessageSign, SignalingProfile } from './types.ts'

/** What a client sends in order to join: the upgrade request and the messages that follow it. */
export interface Offer {
  readonly url: string
  readonly headers: Headers
  readonly protocols: readonly string[]
  /** Sent one after the other once `after` has happened. */
  readonly messages: readonly string[]
  readonly after: 'open' | MessageSign
}

export interface Untestable {
  /** Why the offer cannot be made, as a clause without any secret. */
  readonly untestable: string
}

interface Values {
  readonly jwt: string
  readonly userId: string
}

const headerValue = /^[\t\x20-\x7e]*$/
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** RFC 6265, cookie-octet. */
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/**
 * Puts the credential and the declared userId where the profile says. Without a credential what holds `{jwt}` is left
 * out, except a message, whose token is then empty; without a userId its own element is left out.
 */
export function offerOf(url: string, profile: SignalingProfile, request: AttemptRequest): Offer | Untestable {
  const { carriage, declaredUser } = profile
  const values = { jwt: request.token ?? '', userId: request.declaredUser ?? '' }
  const hasToken = request.token !== null
  const hasUser = request.declaredUser !== undefined

  const headers = [...(request.headers ?? [])]
  const query: (readonly [string, string])[] = []
  const messages: string[] = []
  const protocols = [...(profile.subprotocols ?? [])]
  if (carriage.in === 'subprotocol') protocols.push(...protocolsOf(carriage, values, hasToken))
  if (carriage.in === 'header' && (hasToken || !carriage.template.includes('{jwt}')))
    headers.push([carriage.name, filled(carriage.template, values)])
  if (carriage.in === 'cookie' && hasToken) headers.push(['Cookie', `${carriage.name}=${values.jwt}`])
  if (carriage.in === 'query' && hasToken) query.push([carriage.name, values.jwt])
  if (carriage.in === 'message') messages.push(filledMessage(carriage.template, values))
  if (declaredUser.in === 'header' && hasUser) headers.push([declaredUser.name, values.userId])
  if (declaredUser.in === 'query' && hasUser) query.push([declaredUser.name, values.userId])
  if (declaredUser.in === 'message' && hasUser) messages.push(filledMessage(declaredUser.template, values))

  const untestable = illegality(carriage, values, headers, protocols)
  if (untestable !== null) return { untestable }
  const after = carriage.in === 'message' ? carriage.after : 'open'
  return {
    url: withQuery(url, query),
    headers,
    protocols,
    messages: request.silent === true ? [] : messages,
    after,
  }
}

function protocolsOf(
  carriage: Carriage & { in: 'subprotocol' },
  values: Values,
  hasToken: boolean,
): string[] {
  const offered = carriage.protocols.filter((protocol) => hasToken || !protocol.includes('{jwt}'))
  return offered.map((protocol) => filled(protocol, values))
}

function illegality(
  carriage: Carriage,
  { jwt }: Values,
  headers: Headers,
  protocols: readonly string[],
): string | null {
  const badProtocol = protocols.some((protocol) => !headerName.test(protocol))
  if (badProtocol) return 'what would have to be offered is not legal as a subprotocol'
  if (new Set(protocols).size < protocols.length) return 'the same subprotocol would be offered twice'
  if (carriage.in === 'cookie' && !cookieValue.test(jwt)) return 'the credential is not legal in a cookie'
  for (const [name, value] of headers) {
    if (!headerName.test(name)) return `"${name}" is not the name of a header`
    if (!headerValue.test(value)) return `what would have to be sent is not legal in the header ${name}`
  }
  return null
}

function withQuery(address: string, added: readonly (readonly [string, string])[]): string {
  const url = new URL(address)
  url.hash = ''
  const pairs = added.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
  url.search = [url.search.slice(1), ...pairs].filter((part) => part !== '').join('&')
  return url.href
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Where the template is JSON, what is put in is escaped for the string that it stands in. */
export function filledMessage(template: string, values: Values): string {
  if (!isJson(filled(template, { jwt: '0', userId: '0' }))) return filled(template, values)
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
  return filled(template, { jwt: escaped(values.jwt), userId: escaped(values.userId) })
}

function filled(template: string, values: Values): string {
  return template.replace(/\{(jwt|userId)\}/g, (_, name: keyof Values) => values[name])
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
