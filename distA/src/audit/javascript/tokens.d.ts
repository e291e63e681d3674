/** The tokens of a script in columns, so that a script of many megabytes fits into memory. */
export interface Tokens {
    readonly count: number;
    readonly kind: Uint8Array;
    readonly start: Int32Array;
    readonly end: Int32Array;
    /** For a bracket the index of the token after its partner; 0 where it has none. */
    readonly after: Int32Array;
    /** Where the next one would be looked for. */
    readonly next: number;
}
/** Kinds of tokens: a mark is any single character that is neither a word nor a text. */
export declare const name = 1;
export declare const text = 2;
export declare const number = 3;
export declare const mark = 4;
/**
 * Splits a script into tokens, also one that does not parse; a template counts as one text. `from` is where a token or
 * the space before it begins; the last token is the one that begins before `to`.
 */
export declare function tokensOf(script: string, from?: number, to?: number): Tokens;
