import type { Clock } from '../../base/clock.ts'
import type { Limits } from '../../base/http/limits.ts'
import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { clockDriftMs, roundedSeconds } from '../../base/times.ts'
import type { Mint, MintedToken } from './driver.ts'

/** Facts from which the end of a token is reckoned. */
export type Ending = Pick<MintedToken, 'lifetime' | 'askedSeconds' | 'sentAt' | 'receivedAt'>

/** When a token ends, in monotonic milliseconds. */
export interface End {
  /** The token may have expired from here on. */
  readonly mayExpireAt: number
  /** The token has expired from here on, by the issuer's own clock. */
  readonly expiredAt: number
}

/** A token whose end is near and known. */
export type ShortToken = MintedToken & End

export type Expiry = ReturnType<typeof createExpiry>

export interface ExpiryOptions {
  /** Without one, only tokens that came through the backend can be waited for. */
  readonly mint: Mint | null
  readonly clock: Clock
  readonly limits: Limits
  readonly wait: boolean
}

/** Expiry costs a run one wait: every check mints its short-lived tokens when it starts, and all wait together. */
export function createExpiry({ mint, clock, limits, wait }: ExpiryOptions) {
  const ttlSeconds = Math.max(mint?.minTtlSeconds ?? 0, 3)

  const assertWaitable = (seconds: number, what: string) => {
    if (!wait) throw new Untested('waiting for expiry is disabled (--no-wait)')
    if (seconds > limits.maxTtlWaitSeconds)
      throw new Untested(
        `${what} ${Math.round(seconds)} s exceeds the limit of ${limits.maxTtlWaitSeconds} s (limits.maxTtlWaitSeconds)`,
      )
  }

  const endOf = (token: Ending): End => {
    const { byClaims, byClock } = token.lifetime
    // An `iat` that is dated back makes a token look longer-lived than it is: what was asked tells which reading is true.
    const asked = token.askedSeconds ?? Number.NaN
    const asAsked = [byClaims, byClock]
      .filter((reading) => reading !== null)
      .filter((reading) => Math.abs(reading - asked) <= roundedSeconds)
    const seconds =
      asAsked.length > 0 ? Math.max(...asAsked) : (byClaims ?? byClock ?? token.askedSeconds ?? ttlSeconds)
    assertWaitable(seconds, 'waiting for the expiry of a token that lives')
    const shortest = Math.min(...[byClaims, byClock].filter((reading) => reading !== null), seconds)
    return {
      // `iat` is cut to whole seconds, so the true end may come up to a second before the sum.
      mayExpireAt: token.sentAt + shortest * 1000 - 1000,
      expiredAt: token.receivedAt + seconds * 1000,
    }
  }

  return {
    /** Lifetime to ask for: the service's floor, but never under three seconds (`exp` has whole seconds). */
    ttlSeconds,
    /** The same and longer ones, for a machine or a network that is too slow to use a token in time. */
    lifetimes: [ttlSeconds, ttlSeconds + 3, ttlSeconds + 9],
    /** Seconds after expiry at which it is tried whether the token is still accepted, up to the fail limit and 5 s. */
    trials: listTrials(limits.leewayFailSeconds + 5),
    /** When a token that came some other way ends; throws `Untested` as `token` does. */
    endOf,
    /** Throws `Untested` where waiting is switched off or would take longer than `maxTtlWaitSeconds`. */
    async token(userId: string, asked = ttlSeconds): Promise<ShortToken> {
      assertWaitable(asked, asked > ttlSeconds ? 'a lifetime of' : 'TTL floor')
      if (mint === null) throw new Untested('needs mint.url and mint.apiKey')
      const token = await mint.token(userId, { ttlSeconds: asked })
      return { ...token, ...endOf(token) }
    },
    /** Waits for an instant; throws `ControlLost` if wall clock and monotonic clock drift apart meanwhile. */
    async until(instant: number): Promise<void> {
      const before = clock.wall() - clock.monotonic()
      await clock.until(instant)
      if (Math.abs(clock.wall() - clock.monotonic() - before) > clockDriftMs)
        throw new ControlLost("this machine's clock changed, or it slept, during the wait for expiry")
    },
  }
}

/** +2, +5, +15, +35, +65, then every minute, and the limit itself. */
function listTrials(last: number): number[] {
  const trials = [2, 5, 15, 35]
  for (let next = 65; next < last; next += 60) trials.push(next)
  return [...trials.filter((seconds) => seconds < last), last]
}
