import type { Clock } from '../clock/clock.ts';
/**
 * Keeps to a limit on the rate: asks again what was refused for coming too soon, and from then on asks one thing at a
 * time. A limit says nothing about what was asked, so without patience a burst of ours would hide the verdict.
 */
export type Patience = <T>(ask: () => Promise<T>, waitSeconds: (outcome: T) => number | null) => Promise<T>;
export declare function createPatience(clock: Clock): Patience;
/** How long a `Retry-After` in seconds asks to wait; a second where it says nothing that can be read. */
export declare function retryAfterSeconds(value: string | undefined): number;
