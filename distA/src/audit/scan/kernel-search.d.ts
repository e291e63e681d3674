import { type Needle } from './needles.ts';
import type { Searcher } from './search.ts';
/** `null` where the platform has no SIMD, or where a needle is too short for it. */
export declare function createKernelSearcher(needles: readonly Needle[], prefix: string): Searcher | null;
