import { type Node } from './scope.ts';
export interface FoldedString {
    readonly value: string;
    readonly start: number;
    /** The script runs it as a script. */
    readonly isCode: boolean;
}
/** Strings, with the place where they stand or are put together, and the addresses that clients are given. */
export declare function foldedStrings(tree: Node): {
    strings: FoldedString[];
    bases: string[];
};
