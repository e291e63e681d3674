import type { Needle } from './needles.ts';
import type { Searcher } from './search.ts';
/** The search without SIMD: every needle in one pass (Wu and Manber), XOR and escapes in others. */
export declare function createPlainSearcher(needles: readonly Needle[], prefix: string): Searcher;
export declare function startsAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean;
/** The key under which the prefix stands at an offset; 0 where it does not, or stands there plainly. */
export declare function xorKeyAt(bytes: Uint8Array, start: number, prefix: Uint8Array): number;
