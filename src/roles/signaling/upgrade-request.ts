import type { IncomingMessage } from 'node:http'

export function readQuery(request: IncomingMessage, name: string): string | null {
  return new URL(request.url ?? '/', 'wss://localhost').searchParams.get(name)
}

/** All values of the header in one text, in any case of its name. */
export function readHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name.toLowerCase()]
  return value === undefined ? null : [value].flat().join(', ')
}

export function readCookie(request: IncomingMessage, name: string): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}
