/** Four classes of bytes, one after the other, and the bucket (0 to 7) that shares their tables with it. */
export interface Pattern {
    readonly bucket: number;
    readonly classes: readonly (readonly number[])[];
}
/** Three differences (XOR) between neighbours. */
export type Differences = readonly [number, number, number];
/**
 * Called for a place that may be looked for, more often than it is: `word` is its four bytes in little endian, `buckets`
 * has a bit for each bucket that allows them, and `xorBucket` where the differences fit.
 */
export type Visit = (offset: number, word: number, buckets: number) => void;
export declare const xorBucket: number;
/** Visits, in one pass, every place whose four bytes pass the patterns or have the differences. */
export type Marker = (bytes: Buffer, visit: Visit) => void;
/** `null` where the platform has no SIMD. */
export declare function createMarker(patterns: readonly Pattern[], [d0, d1, d2]?: Differences): Marker | null;
