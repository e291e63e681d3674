import type { IncomingMessage } from 'node:http'

export const readBearer = ({ headers }: IncomingMessage) =>
  /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
export const readParameter = ({ url = '/' }: IncomingMessage, name: string) =>
  new URL(url, 'ws://localhost').searchParams.get(name)
export const welcome = JSON.stringify({ type: 'welcome' })

/** A message of a client in JSON. */
export interface ClientMessage {
  readonly type?: unknown
  readonly token?: string
  readonly id?: unknown
  readonly params?: { readonly token?: string }
  readonly payload?: { readonly token?: string }
}

/** A message that is an object of JSON; an empty one otherwise. */
export function parseMessage(text: string): ClientMessage {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
