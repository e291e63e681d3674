import type { View } from './needles.ts';
import type { StringTable } from './scan.ts';
import type { Extent } from './window.ts';
export interface Found {
    /** The strings that contain the stretch whole. */
    readonly extents: readonly Extent[];
    /** Whether strings cover all of it and none holds it whole, in a part of the file of which the table knows every string. */
    readonly isTorn: boolean;
    /** Whether a string holds it in the other byte order of UTF-16. */
    readonly isMisread: boolean;
}
/** What a table knows about a stretch of bytes; `null` once looking for that has cost too much. */
export type Lookup = (start: number, end: number, view: View) => Found | null;
/** Strings may overlap, and a hostile table may have all of them overlap: what a whole file costs is bounded. */
export declare function lookup({ extents, regions }: StringTable): Lookup;
