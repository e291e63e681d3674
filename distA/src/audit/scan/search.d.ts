import type { Needle } from './needles.ts';
/** What a search calls for each place that it finds. */
export interface Hits {
    needle(offset: number, needle: Needle): void;
    /** The prefix under a single-byte XOR; `key` is never 0. */
    xored(offset: number, key: number): void;
    /** One character of the prefix, escaped. */
    escape(offset: number): void;
}
/** Finds every needle, every XORed prefix and every escaped character of the prefix in one pass. */
export interface Searcher {
    search(bytes: Buffer, hits: Hits): void;
}
/** With SIMD where the platform has it; both ways find the same. */
export declare function createSearcher(needles: readonly Needle[], prefix: string): Searcher;
