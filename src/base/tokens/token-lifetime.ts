import type { Answer } from '../http/client.ts'
import { headerOf } from '../http/headers.ts'
import { daySeconds, mostSkewMs } from '../times.ts'
import { isRecord, type ReadToken, readToken } from './decode.ts'

/** A token's seconds from its receipt, in two readings: `iat` may be dated back, and clocks differ. `null` without an `exp`. */
export interface Lifetime {
  /** `exp` − `iat`. */
  readonly byClaims: number | null
  /** `exp` − the server's `Date` header (this machine's clock where there is none). */
  readonly byClock: number | null
}

export function lifetimeOf(token: ReadToken | null, answer: Answer, wallNow: number): Lifetime {
  const exp = token?.claims?.['exp']
  // Only the mint's own word is left for a token that cannot be read.
  if (typeof exp !== 'number')
    return { byClaims: null, byClock: token?.claims == null ? statedSeconds(answer.json) : null }
  const iat = token?.claims?.['iat']
  const now = (answeredAt(iat, answer, wallNow) ?? wallNow) / 1000
  return { byClaims: typeof iat === 'number' ? exp - iat : null, byClock: exp - now }
}

/** Says whether a token states an end that has not come. Until then, a server that looks nothing up cannot know of a sign-out. */
export function isStillValid(token: string, wallNow: number): boolean {
  const exp = readToken(token)?.claims?.['exp']
  return typeof exp === 'number' && exp * 1000 > wallNow
}

/**
 * When a service answered by its own clock, in milliseconds: the `Date` header; `null` where there is none. A gateway whose clock is
 * off writes that header, too: where the token was issued now by this machine's clock, and not by the header's, this machine's counts.
 */
export function answeredAt(iat: unknown, { headers }: Answer, wallNow: number): number | null {
  const date = Date.parse(headerOf(headers, 'date') ?? '')
  if (Number.isNaN(date)) return null
  if (typeof iat !== 'number') return date
  const isOfGateway = Math.abs(iat * 1000 - wallNow) <= mostSkewMs && Math.abs(iat * 1000 - date) > mostSkewMs
  return isOfGateway ? wallNow : date
}

const names = ['expiresIn', 'expires_in', 'expiresInSeconds', 'ttlSeconds', 'ttl_seconds', 'ttl']

/** The lifetime in the body of the response, in seconds; null where it states none. */
function statedSeconds(body: unknown): number | null {
  if (!isRecord(body)) return null
  const stated = names.map((name) => body[name]).find((value) => typeof value === 'number' && value > 0)
  return typeof stated === 'number' ? stated : null
}

const yearSeconds = 365.25 * daySeconds
const mostDays = 9_999

/** A lifetime as a finding shows it: long ones in days or years, since a report masks what has as many digits as an id. */
export function showLifetime(seconds: number): string {
  if (Math.abs(seconds) <= daySeconds) return `${Math.round(seconds)} s`
  const days = Math.round(seconds / daySeconds)
  return Math.abs(days) <= mostDays
    ? `${days} ${days === 1 ? 'day' : 'days'}`
    : `${Math.round(seconds / yearSeconds)} years`
}
