import type { Clock } from '../clock/clock.ts';
import type { Limits } from '../configuration/configuration.ts';
import type { Mint, MintedToken } from './mint.ts';
/** What the end of a token is reckoned from. */
export type Ending = Pick<MintedToken, 'lifetime' | 'askedSeconds' | 'sentAt' | 'receivedAt'>;
/** When a token ends, in monotonic milliseconds. */
export interface End {
    /** The token may have expired from here on. */
    readonly mayExpireAt: number;
    /** The token has expired from here on, by the issuer's own clock. */
    readonly expiredAt: number;
}
/** A token whose end is near and known. */
export type ShortToken = MintedToken & End;
/** Expiry costs a run one wait: every check mints its short-lived tokens when it starts, and all wait together. */
export interface Expiry {
    /** What is asked for: the service's floor, but never under three seconds (`exp` has whole seconds). */
    readonly ttlSeconds: number;
    /** Throws `Untested` where waiting is switched off or would take longer than `maxTtlWaitSeconds`. */
    token(userId: string): Promise<ShortToken>;
    /** When a token that came some other way ends; throws `Untested` as `token` does. */
    endOf(token: Ending): End;
    /** Waits for an instant; throws `ControlLost` if wall clock and monotonic clock drift apart meanwhile. */
    until(instant: number): Promise<void>;
    /** Seconds after expiry at which it is tried whether the token is still accepted, up to the fail limit and 5 s. */
    readonly trials: readonly number[];
}
export interface ExpiryOptions {
    /** Without one, only tokens that came through the backend can be waited for. */
    readonly mint: Mint | null;
    readonly clock: Clock;
    readonly limits: Limits;
    readonly wait: boolean;
    readonly onWaiting: (seconds: number) => void;
}
export declare function createExpiry({ mint, clock, limits, wait, onWaiting }: ExpiryOptions): Expiry;
