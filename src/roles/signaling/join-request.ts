import { randomBytes } from 'node:crypto'
import type { Headers } from '../../base/http/headers.ts'
import type { AttemptRequest } from './attempt.ts'
import { addBesideToken } from './beside-token.ts'
import { carriages, type SentParts } from './carriages/registry.ts'
import { sendDeclaredUser } from './declared-users/registry.ts'
import { codecOf } from './message-codec.ts'
import type { SignalingProfile } from './profile.ts'
import type { Cue } from './signs.ts'

/** Request of a client to join: the upgrade request and the messages that follow it. */
export interface JoinRequest {
  readonly url: string
  readonly headers: Headers
  readonly protocols: readonly string[]
  readonly opening: readonly string[]
  /** Sent one after the other once `after` has happened. */
  readonly messages: readonly string[]
  readonly after: Cue
}

const randomCharacters = 8
const headerValue = /^[\t\x20-\x7e]*$/
/** RFC 9110, token. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Puts the credential and the declared userId where the profile says; without them their own elements are left out.
 * @returns a text where it cannot be sent: the reason, as a clause without any secret
 */
export function buildJoinRequest(
  url: string,
  profile: SignalingProfile,
  request: AttemptRequest,
): JoinRequest | string {
  const { carriage, declaredUser, subprotocols = [], opening = [], path = '' } = profile
  const codec = codecOf(profile)
  const credential = { jwt: request.token, userId: request.declaredUser ?? null }
  const parts: readonly SentParts[] = [
    {
      headers: withOwn(profile.headers ?? {}, request.headers ?? []),
      query: request.query ?? [],
      protocols: subprotocols,
    },
    carriages.send(carriage, credential, codec),
    sendDeclaredUser(declaredUser, credential, codec),
  ]
  const headers = parts.flatMap((part) => part.headers ?? [])
  const protocols = parts.flatMap((part) => part.protocols ?? [])
  const unsendable = findIllegality(parts, headers, protocols)
  if (unsendable !== null) return unsendable
  return {
    url: addQuery(
      addPath(url, path),
      parts.flatMap((part) => part.query ?? []),
    ),
    headers,
    protocols,
    opening,
    messages: request.silent === true ? [] : messagesOf(parts, request),
    after: carriages.cueOf(carriage) ?? 'open',
  }
}

function messagesOf(parts: readonly SentParts[], { token, beside }: AttemptRequest): string[] {
  const messages = parts.flatMap((part) => part.messages ?? [])
  if (token === null || beside === undefined) return messages
  return messages.map((message) => addBesideToken(message, token, beside) ?? message)
}

function findIllegality(
  parts: readonly SentParts[],
  headers: Headers,
  protocols: readonly string[],
): string | null {
  const badProtocol = protocols.some((protocol) => !headerName.test(protocol))
  if (badProtocol) return 'the value is not legal as a subprotocol'
  if (new Set(protocols).size < protocols.length) return 'the same subprotocol would be offered twice'
  const illegal = parts.find((part) => part.illegal !== undefined)?.illegal
  if (illegal !== undefined) return illegal
  for (const [name, value] of headers) {
    if (!headerName.test(name)) return `"${name}" is not a header name`
    if (!headerValue.test(value)) return `the value is not legal in the header ${name}`
  }
  return null
}

/** The headers of every attempt, without those that this one sends a value of its own for. */
function withOwn(always: Readonly<Record<string, string>>, own: Headers): Headers {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  return [...Object.entries(always).filter(([name]) => !names.has(name.toLowerCase())), ...own]
}

/** Appends a path of a profile to that of an address, with new texts for `{random}`. */
function addPath(address: string, path: string): string {
  if (path === '') return address
  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/$/, '') + path.replaceAll('{random}', () => randomText())
  return url.href
}

function randomText(): string {
  return randomBytes(randomCharacters).toString('hex').slice(0, randomCharacters)
}

function addQuery(address: string, added: readonly (readonly [string, string])[]): string {
  const url = new URL(address)
  url.hash = ''
  const pairs = added.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
  url.search = [url.search.slice(1), ...pairs].filter((part) => part !== '').join('&')
  return url.href
}

function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
