import type { Node } from './scope.ts';
/** A tree of a script; its places are places in `text`. */
export interface ParsedScript {
    readonly tree: Node;
    /** The place in the script of a place in the tree. */
    readonly placeOf: (start: number) => number;
    /** Only the expressions could be read, not the statements around them. */
    readonly isPartial: boolean;
    /** There were more expressions than could be read. */
    readonly isCut: boolean;
}
/** Parses a script; expression by expression where it is no JavaScript, or too large. */
export declare function parseScript(text: string, prefix: string): ParsedScript | null;
