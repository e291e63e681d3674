import type { Headers } from '../base/http/headers.ts'
import type { Cue } from '../roles/signaling/carriages/carriage-kind.ts'
import type { JoinRequest } from '../roles/signaling/join-request.ts'
import type { TemplatePart } from '../roles/signaling/sent-parts.ts'

/** Places for a credential, from the one where it leaks least to the one where every log keeps it. */
export const places = ['message', 'header', 'subprotocol', 'cookie', 'query'] as const
export type Place = (typeof places)[number]

/**
 * One thing that a client sends in order to join. Templates contain `{jwt}`, `{userId}`, or fixed text; a field is at
 * its path in a JSON message, a text is a message of its own, hellos are the fields of a message that follows the token.
 */
export type Piece =
  | TemplatePart
  | { readonly in: 'field'; readonly path: readonly string[]; readonly template: string }
  | { readonly in: 'hello'; readonly path: readonly string[]; readonly template: string }

/** A guess at how a service wants to be joined: usually far more than it needs, until it is cut down. */
export interface Draft {
  readonly pieces: readonly Piece[]
  /** Sent as soon as the socket is open, before any message with the token. */
  readonly opening?: string
  readonly after: Cue
}

/** The identity that an attempt states: a token or none, and a userId in any case. */
export interface StatedIdentity {
  readonly jwt: string | null
  readonly userId: string
}

export function hasToken({ template }: Piece): boolean {
  return template.includes('{jwt}')
}

export function hasUser({ template }: Piece): boolean {
  return template.includes('{userId}')
}

/**
 * Builds the request of a draft. Without a token it leaves out the pieces that carry one, but a message has
 * an empty one.
 */
export function buildDraftRequest(
  url: string,
  { pieces, opening, after }: Draft,
  { jwt, userId }: StatedIdentity,
  subprotocols: readonly string[],
): JoinRequest {
  const fill = (template: string) =>
    template.replaceAll('{jwt}', () => jwt ?? '').replaceAll('{userId}', () => userId)
  const sent = pieces.filter((piece) => jwt !== null || !hasToken(piece))
  const of = <In extends Piece['in']>(place: In, from = sent) =>
    from.filter((piece): piece is Extract<Piece, { in: In }> => piece.in === place)
  const headers: Headers = of('header').map(({ name, template }) => [name, fill(template)] as const)
  const cookies = of('cookie').map(({ name, template }) => `${name}=${fill(template)}`)
  const address = new URL(url)
  for (const { name, template } of of('query')) address.searchParams.append(name, fill(template))
  const body = messageTemplate(pieces)
  const messages = body === null ? [] : [fillJson(body, { jwt: jwt ?? '', userId })]
  const hello = helloTemplate(pieces)
  if (hello !== null) messages.push(fillJson(hello, { jwt: jwt ?? '', userId }))
  return {
    url: address.href,
    headers: cookies.length === 0 ? headers : [...headers, ['Cookie', cookies.join('; ')] as const],
    protocols: [...new Set([...subprotocols, ...of('subprotocol').map(({ template }) => fill(template))])],
    opening: opening === undefined ? [] : [opening],
    messages,
    after,
  }
}

/** The template of the message that carries the token; null where none does. */
export function messageTemplate(pieces: readonly Piece[]): string | null {
  const text = pieces.find((piece) => piece.in === 'text')
  if (text !== undefined) return text.template
  return jsonTemplate(pieces.filter((piece) => piece.in === 'field'))
}

/** The template of the message in which a client states its userId, after its token; null where it does not. */
export function helloTemplate(pieces: readonly Piece[]): string | null {
  return jsonTemplate(pieces.filter((piece) => piece.in === 'hello'))
}

function jsonTemplate(
  fields: readonly { readonly path: readonly string[]; readonly template: string }[],
): string | null {
  if (fields.length === 0) return null
  const message: Record<string, unknown> = {}
  for (const { path, template } of fields) setField(message, path, template)
  return JSON.stringify(message)
}

function setField(
  message: Record<string, unknown>,
  [first = '', ...rest]: readonly string[],
  value: string,
): void {
  if (rest.length === 0) {
    message[first] = first === 'id' && value === '1' ? 1 : value
    return
  }
  const inner = message[first]
  const below = isObject(inner) ? inner : {}
  message[first] = below
  setField(below, rest, value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function fillJson(template: string, values: { readonly jwt: string; readonly userId: string }): string {
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
  return template
    .replaceAll('{jwt}', () => escaped(values.jwt))
    .replaceAll('{userId}', () => escaped(values.userId))
}
