import type { Planted, Wish } from './planter.ts';
export interface Region {
    readonly start: number;
    readonly end: number;
}
/** How the new string is set apart from what is left of the old one. */
export type Ending = 'zero' | 'quotes';
/**
 * Overwrites strings that are there with canaries of at most their length, so that nothing else moves. With `zero` only
 * strings that end in a zero byte are taken, and what is left of one is zeroed; with `quotes` any printable text will
 * do, and the canary stands in quotation marks in it.
 */
export declare function overwriteStrings(bytes: Buffer, regions: readonly Region[], wishes: readonly Wish[], ending: Ending): Planted;
