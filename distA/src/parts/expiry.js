import { ControlLost, Untested } from '../check/judge.js';
/** Wall clock and monotonic clock may differ by this much over a wait. */
const driftMs = 1000;
/** `exp`, `iat` and the `Date` header each have whole seconds. */
const asAskedSeconds = 2;
export function createExpiry({ mint, clock, limits, wait, onWaiting }) {
    const ttlSeconds = Math.max(mint?.minTtlSeconds ?? 0, 3);
    const assertWaitable = (seconds, what) => {
        if (!wait)
            throw new Untested('waiting for expiry was switched off (--no-wait)');
        if (seconds > limits.maxTtlWaitSeconds)
            throw new Untested(`${what} ${Math.round(seconds)} s exceeds the limit of ${limits.maxTtlWaitSeconds} s (limits.maxTtlWaitSeconds)`);
    };
    const endOf = (token) => {
        const { byClaims, byClock } = token.lifetime;
        // An `iat` that is dated back makes a token look longer-lived than it is: what was asked tells which reading is true.
        const asked = token.askedSeconds ?? Number.NaN;
        const asAsked = [byClaims, byClock]
            .filter((reading) => reading !== null)
            .filter((reading) => Math.abs(reading - asked) <= asAskedSeconds);
        const seconds = asAsked.length > 0 ? Math.max(...asAsked) : (byClaims ?? byClock ?? token.askedSeconds ?? ttlSeconds);
        assertWaitable(seconds, 'waiting for the end of a token that lives');
        const shortest = Math.min(...[byClaims, byClock].filter((reading) => reading !== null), seconds);
        return {
            // `iat` is cut to whole seconds, so the true end may come up to a second before the sum.
            mayExpireAt: token.sentAt + shortest * 1000 - 1000,
            expiredAt: token.receivedAt + seconds * 1000,
        };
    };
    return {
        ttlSeconds,
        trials: trialsUpTo(limits.leewayFailSeconds + 5),
        endOf,
        async token(userId) {
            assertWaitable(ttlSeconds, 'TTL floor');
            if (mint === null)
                throw new Untested('needs mint.url and mint.apiKey');
            const token = await mint.token(userId, { ttlSeconds });
            return { ...token, ...endOf(token) };
        },
        async until(instant) {
            const left = instant - clock.monotonic();
            if (left > 0)
                onWaiting(left / 1000);
            const before = clock.wall() - clock.monotonic();
            await clock.until(instant);
            if (Math.abs(clock.wall() - clock.monotonic() - before) > driftMs)
                throw new ControlLost("this machine's clock was set, or it slept, during the wait for expiry");
        },
    };
}
/** +2, +5, +15, +35, +65, then every minute, and the limit itself. */
function trialsUpTo(last) {
    const trials = [2, 5, 15, 35];
    for (let next = 65; next < last; next += 60)
        trials.push(next);
    return [...trials.filter((seconds) => seconds < last), last];
}
