import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

/** A page may call its backend, and any other host that a double answers for, from another origin. */
export function corsHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const origin = headers.origin
  if (origin === undefined) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': headers['access-control-request-method'] ?? 'GET, POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-allow-private-network': 'true',
    vary: 'origin',
  }
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
