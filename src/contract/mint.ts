/**
 * The mint's interface as data (clauses 2.1.1, 4.1 and 7.1). Drivers, doubles, the reference, the contracts and the audit read it,
 * so that a path or a field is written once.
 */
export const mintContract = {
  method: 'POST',
  /** Below the base URL of the service. */
  path: '/api/v1/calling/token',
  key: { header: 'authorization', scheme: 'Bearer', prefix: 'ac_live_' },
  request: { user: 'userId', lifetime: 'ttlSeconds' },
  /** The usual field of a success; the specification leaves its form open. */
  token: 'token',
  /** Typical statuses of a refusal. */
  refusals: { noUser: 400, unknownKey: 401, trialEnded: 402, suspended: 403, atCap: 429 },
} as const

/** The value of the header that presents a key. */
export function presentKey(key: string): string {
  return `${mintContract.key.scheme} ${key}`
}

/** The body of a request, without the fields that are undefined. */
export function mintBody(userId: unknown, ttlSeconds: unknown): string {
  const { user, lifetime } = mintContract.request
  return JSON.stringify({ [user]: userId, [lifetime]: ttlSeconds })
}
