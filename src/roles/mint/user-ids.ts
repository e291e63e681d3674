import type { UserIds } from './configuration.ts'

/** A random UUID (RFC 9562, version 4). */
export function uuidFrom(random: () => number): string {
  const digit = (from: number, to: number) => Math.floor(from + random() * (to - from)).toString(16)
  const digits = (count: number) => Array.from({ length: count }, () => digit(0, 16)).join('')
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${digit(8, 12)}${digits(3)}-${digits(12)}`
}

/** An id for a request before or beside the run; `madeUp` where the mint takes any. */
export function anyUserId(userIds: UserIds | undefined, madeUp: string): string {
  if (userIds === undefined) return madeUp
  return 'from' in userIds ? (userIds.from[0] ?? madeUp) : crypto.randomUUID()
}

/** A rejection that speaks of the user, where the configuration does not say whom the mint knows. */
export function knowsOwnUsersOnly(
  { status, body }: { readonly status: number; readonly body: string },
  userIds: UserIds | undefined,
): boolean {
  return userIds === undefined && [400, 404, 422].includes(status) && /user/i.test(body)
}
