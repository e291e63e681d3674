/** Statuses by which a gateway says that it could not reach its upstream, or that this is overloaded. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/** A broken connection, an internal error, a restart, an overload, a bad gateway, too many requests (4000 and the status). */
const brokenOffCodes: ReadonlySet<number> = new Set([1006, 1011, 1012, 1013, 1014, 4429])

/** Explains a status as a fault on the way to the service, as a clause. Null where the service itself has answered. */
export function faultOfStatus(status: number): string | null {
  return gatewayStatuses.has(status) ? `answered ${status}` : null
}

/** The same for the close code of a WebSocket. */
export function faultOfCloseCode(code: number): string | null {
  return brokenOffCodes.has(code) ? `closed with ${code}` : null
}

/** How a part shows that it is down, limits its client, or rejects ordinary use, as after a ban. */
export const unavailabilities = [
  'silent',
  'refusing',
  'broken off',
  'failing',
  'limited',
  'rejecting',
] as const
export type Unavailability = (typeof unavailabilities)[number]

/** Statuses of a service that rejects a key, a session, an account or an address. */
export const rejectingStatuses: ReadonlySet<number> = new Set([401, 402, 403])

/** Statuses of a service that fails, or of the gateway before it. */
const failingStatuses: ReadonlySet<number> = new Set([500, ...gatewayStatuses])

export function unavailableByStatus(status: number): Unavailability | undefined {
  if (status === 429) return 'limited'
  return failingStatuses.has(status) ? 'failing' : undefined
}

export function unavailableByCloseCode(code: number): Unavailability | undefined {
  if (!brokenOffCodes.has(code)) return undefined
  if (code === 4429) return 'limited'
  return code === 1006 ? 'broken off' : 'failing'
}
