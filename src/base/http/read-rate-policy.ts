import { type Headers, headerOf } from './headers.ts'

/** A limit that a service announces with its answers. */
export interface RatePolicy {
  readonly requests: number
  readonly seconds: number
  /** The header that says so. */
  readonly header: string
}

/**
 * Reads the slowest limit that an answer announces: by `RateLimit-Policy` in either form of its drafts (`5;w=60`,
 * `"minute";q=5;w=60`), else by a limit and its reset. Null where there is none.
 * @param wallMs milliseconds since 1970: some count the reset from there
 */
export function readRatePolicy(headers: Headers, wallMs: number): RatePolicy | null {
  const policies = (headerOf(headers, 'ratelimit-policy') ?? '').split(',').flatMap((member) => {
    const [first = '', ...parameters] = member.split(';').map((part) => part.trim())
    const [requests, seconds] = [numberIn(parameters, 'q') ?? Number(first), numberIn(parameters, 'w')]
    return policyOf(requests, seconds, 'RateLimit-Policy')
  })
  const slowest = policies.toSorted((one, two) => one.requests / one.seconds - two.requests / two.seconds)[0]
  return slowest ?? readLimitWithReset(headers, wallMs)
}

/** At the first of some requests, the reset is a window away. */
function readLimitWithReset(headers: Headers, wallMs: number): RatePolicy | null {
  const members = (headerOf(headers, 'ratelimit') ?? '')
    .replaceAll(';', ',')
    .split(',')
    .map((part) => part.trim())
  const [whole] = policyOf(numberIn(members, 'limit'), numberIn(members, 'reset'), 'RateLimit')
  if (whole !== undefined) return whole
  for (const name of ['RateLimit', 'X-RateLimit']) {
    const limit = headerOf(headers, `${name.toLowerCase()}-limit`)
    const reset = Number(headerOf(headers, `${name.toLowerCase()}-reset`) ?? Number.NaN)
    const seconds = reset > sinceEpoch ? Math.round(reset - wallMs / 1000) : reset
    const [policy] = policyOf(limit === undefined ? undefined : Number(limit), seconds, `${name}-Limit`)
    if (policy !== undefined) return policy
  }
  return null
}

/** More seconds than any window has: they count from 1970. */
const sinceEpoch = 1_000_000_000

function policyOf(requests: number | undefined, seconds: number | undefined, header: string): RatePolicy[] {
  const isLimit = requests !== undefined && seconds !== undefined && requests > 0 && seconds > 0
  return isLimit && Number.isFinite(requests) && Number.isFinite(seconds)
    ? [{ requests, seconds, header }]
    : []
}

function numberIn(parts: readonly string[], name: string): number | undefined {
  const value = parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)
  return value === undefined ? undefined : Number(value)
}
