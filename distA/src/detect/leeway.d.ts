import type { Clock } from '../clock/clock.ts';
import type { Limits } from '../configuration/configuration.ts';
import type { Mint } from '../parts/mint.ts';
import type { Signaling } from '../signaling/attempt.ts';
/** Waits for one short-lived token to expire; null where it outlives the limits, or the trials end before the leeway. */
export declare function measuredLeeway({ mint, driver, clock, limits, newUser, onProgress, }: {
    readonly mint: Mint;
    readonly driver: Signaling;
    readonly clock: Clock;
    readonly limits: Limits;
    newUser(): string;
    onProgress(what: string): void;
}): Promise<number | null>;
