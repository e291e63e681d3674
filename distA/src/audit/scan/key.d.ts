import { type KeyShape } from '../key-shape.ts';
export interface KeyCandidate {
    readonly secret: string;
    readonly shape: KeyShape;
    /** A letter or digit stands directly before the prefix, and is not the end of an escape. */
    readonly follows: boolean;
    /** A small letter does: the prefix may be the end of a word. */
    readonly isGlued: boolean;
    /** The character after the last one of the candidate; empty at the end of the text. */
    readonly next: string;
    readonly previous: string;
}
/** The candidate that begins at an index of a text. Never longer than 512 characters. */
export declare function keyAt(text: string, at: number, prefix: string, leastSuffix?: number): KeyCandidate;
