/** Something that a script has to hold before it is worth parsing. */
export interface Clue {
    /** Stands in every script that has the clue, in a stretch of at most `signLength` characters. */
    readonly sign: RegExp;
    /** Every sign holds one of these: four characters, each by what it may be. `null` where a sign need not. */
    readonly marks: readonly Mark[] | null;
    /** Whether a script with a sign has the clue. */
    confirms(script: string): boolean;
}
export type Mark = readonly [string, string, string, string];
export declare const signLength = 160;
/** All that betrays a key, a token or an address that a script puts together. */
export declare function cluesFor(prefix: string): Clue[];
