/** A constant expression that was cut out of a script, and the name that it is given there. */
export interface Island {
    readonly name: string | null;
    readonly text: string;
    readonly start: number;
}
export interface Islands {
    readonly islands: readonly Island[];
    /** Whether there were more than can be put into one tree. */
    readonly isCut: boolean;
}
/**
 * Expressions made of literals, names and calls: what can be folded of a script that does not parse as JavaScript, or
 * is too large for a tree. Types and statements between them are passed over, and what was there already. As much of the
 * script as `sliceLength` is split into tokens at once: those of many megabytes would not fit into memory.
 */
export declare function islandsOf(script: string, prefix: string, sliceLength?: number): Islands;
