import type { View } from './needles.ts';
/**
 * UTF-16 text of plain letters reads as the other byte order too, from its second byte on, or from a zero before it.
 * Where the other reading goes on longer, this one is its shadow: the last letter is lost in it.
 */
export declare function isShadow(bytes: Buffer, offset: number, view: View): boolean;
