import type { Baseline } from './baseline.ts';
import type { Draft } from './draft.ts';
import type { Prober, Trace } from './prober.ts';
import { type Separation } from './separate.ts';
import type { Holder, Supply } from './supply.ts';
export interface Searching {
    readonly url: string;
    readonly prober: Prober;
    readonly supply: Supply;
    readonly baseline: Baseline;
    readonly pace: Pace;
}
/** How long things are watched, in milliseconds. */
export interface Pace {
    readonly baselineMs: number;
    /** An attempt of which nothing is heard. */
    readonly silenceMs: number;
    /** A connection that is only tolerated for less than this is not one that was let in. */
    readonly toleratedMs: number;
}
/** A draft with which good tokens get in and nothing else does. */
export interface Hit {
    readonly draft: Draft;
    readonly separation: Separation;
}
/** The first of the drafts that works, in their order; null where none does. */
export declare function firstHit(drafts: readonly Draft[], searching: Searching): Promise<Hit | null>;
export declare function probeWith(draft: Draft, credential: Holder | {
    readonly jwt: null;
    readonly userId: string;
}, { url, prober, baseline }: Searching, windowMs: number): Promise<Trace>;
