import type { AnyCheck, Variant } from '../check/check.ts';
/** How many calling tokens the mint of a stack issues while one requirement is judged, and nothing else. */
export declare function mintsOf(check: AnyCheck, variant?: Variant): Promise<number>;
