import type { Unavailability } from '../evidence/transport-fault.ts'
import { writeSize } from '../size-text.ts'

export class BodyTooLarge extends Error {}
export class TooManyRedirects extends Error {}

export type FailureKind =
  | 'refused'
  | 'name'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'too-large'
  | 'redirects'
  | 'proxy'
  | 'protocol'

/** Failures of a peer that is down, or that bans its client. */
export const unavailableByFailure: Readonly<Partial<Record<FailureKind, Unavailability>>> = {
  timeout: 'silent',
  refused: 'refusing',
  name: 'refusing',
  reset: 'broken off',
}

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH|INVALID_PURPOSE)/

export interface Failed {
  readonly kind: FailureKind
  /** A clause that completes "the mint …". */
  readonly message: string
}

/** Tells what an error of the transport means. Behind a proxy, that may be the part that cannot be reached. */
export function failureOf(error: unknown, deadlineMs: number, bodyBytes: number, isProxied = false): Failed {
  if (error instanceof BodyTooLarge)
    return { kind: 'too-large', message: `sent a body of more than ${writeSize(bodyBytes)}` }
  if (error instanceof TooManyRedirects) return { kind: 'redirects', message: 'redirected more than 5 times' }
  const { name, code, message, data } = rootOf(error)
  // The words of undici, or of a tunnel of our own.
  const answered = /(?:Proxy response \(|Proxy Authentication Required \(|the proxy answered )(\d+)/.exec(
    message,
  )
  if (answered !== null)
    return { kind: 'proxy', message: `could not be reached: the proxy answered ${answered[1]}` }
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return { kind: 'timeout', message: `did not answer within ${deadlineMs / 1000} s` }
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return unreached('refused', 'refused the connection', isProxied)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return unreached('name', 'has a host name that does not resolve', isProxied)
  if (tlsCodes.test(code)) return { kind: 'tls', message: `failed TLS verification: ${message}` }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return { kind: 'too-large', message: 'sent a header of more than 64 KiB' }
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE')
    return { kind: 'reset', message: 'closed the connection before the response was complete' }
  if (isSettingsFrame(data)) return { kind: 'protocol', message: 'speaks only HTTP/2 without TLS' }
  return { kind: 'protocol', message: `sent invalid HTTP (${code || message})` }
}

/** A server of HTTP/2 begins with a frame of type 4 for the connection as a whole, behind three bytes of length. */
function isSettingsFrame(data: string): boolean {
  return data.startsWith('\0\0') && data.charCodeAt(3) === 4 && data.slice(4, 9) === '\0'.repeat(5)
}

function unreached(kind: FailureKind, message: string, isProxied: boolean): Failed {
  return isProxied
    ? { kind: 'proxy', message: `could not be reached: the proxy ${message}` }
    : { kind, message }
}

function rootOf(error: unknown): { name: string; code: string; message: string; data: string } {
  let root = error
  while (root instanceof Error && root.cause instanceof Error && !('code' in root)) root = root.cause
  if (root instanceof AggregateError && root.errors.length > 0) root = root.errors[0]
  const {
    name = '',
    code = '',
    message = '',
    data = '',
  } = root as { name?: string; code?: string; message?: string; data?: string }
  return { name: String(name), code: String(code), message: String(message), data: String(data) }
}
