import type { Policies } from '../../src/check/check.ts';
type TokenFor = Policies['backend']['tokenFor'];
interface Hooks {
    readonly tokenFor: TokenFor;
}
/** Milliseconds since 1970. */
interface Times {
    readonly startedAt: number;
    readonly keptAt: number;
    /** When the token was handed out last. */
    readonly usedAt: number;
    readonly expiresAt: number;
    /** The expiry of the token that came last, whoever it was for. */
    readonly lastExpiresAt: number;
}
/** A cache, by user unless `keyOf` says otherwise, that thinks a token good until the instant that `until` reckons. */
export declare function keepsUntil(until: (times: Times) => number, keyOf?: (userId: string) => string): Hooks;
/** Mints in advance: each request gets the token that was minted during the one before. */
export declare function keepsTheOneBefore(): Hooks;
/** Answers at once with what it has, and renews it then. */
export declare function renewsBehindTheScenes(): Hooks;
/** Mints for every request, and takes the last token where that fails. */
export declare function keepsTheLastWhenTheMintFails(): Hooks;
/** Keeps the first token, and fails as soon as that is of no use. */
export declare function givesUpAfterExpiry(): Hooks;
export {};
