import type { View } from '../scan/needles.ts';
import type { Extent } from '../scan/window.ts';
export interface Place {
    readonly start: number;
    readonly end: number;
}
/**
 * Reads the strings of sections in which each ends with a zero; shorter ones than a prefix are left out. One that its
 * section cuts off goes on to its zero, as it does for a program that reads it, unless the end of a place ends it too.
 * Sections do not overlap: more than twice what the file holds is a trap, and a RangeError.
 */
export declare function createNulReader(bytes: Buffer, { isEndedByPlace }?: {
    isEndedByPlace?: boolean | undefined;
}): ({ start, end }: Place, role: Extent['role'], view?: View) => Extent[];
