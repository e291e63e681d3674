import type { Lifetime } from '../../src/tokens/lifetime.ts';
/** A lifetime that was asked for and what was granted; `null` where it was refused. Seconds. */
export interface Measured {
    readonly asked: number;
    readonly lifetime: Lifetime | null;
    readonly exchange: string;
}
export type Reading = keyof Lifetime;
/** How well a series of lifetimes is explained by "what was asked, between a floor and a ceiling". */
export interface Explanation {
    /** `near`: every one of them is off by a minute at most. */
    readonly fit: 'exact' | 'near' | 'none';
    readonly floor: number | null;
    readonly ceiling: number | null;
    readonly saw: string;
}
/** `measured` is sorted by what was asked. */
export declare function explained(measured: readonly Measured[], reading: Reading): Explanation;
/** Whether, in each of the readings, every lifetime granted is the same. */
export declare function areAlike(measured: readonly Measured[], readings: readonly Reading[]): boolean;
