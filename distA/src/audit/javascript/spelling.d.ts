/** A text that a script may put together out of literals. */
export interface Spelling {
    /** A part of every script that does so; it ends at most as many characters later as the text has, and a few. */
    readonly sign: RegExp;
    /** Every sign holds one of these: four characters of the text, or a whole literal of fewer. */
    readonly grams: readonly string[];
    readonly shortPieces: readonly string[];
    /** Whether literals of the script, one after the other, can be the text, or most of it. */
    canBeSpelledIn(script: string): boolean;
}
/** How a literal begins and ends, as a part of a template or inside another literal, too. */
export declare const openers = "\"'`}";
export declare const closers = "\"'`$\\";
/** Texts as short as this have no middle: they are looked for in every script. */
export declare const shortest = 8;
/**
 * Recognises every script that spells the text out of literals of two or more characters, or of one letter beside the one that comes before or after it;
 * where a large part is a literal, the rest may be computed.
 * @param isEncoded the text is one that nobody cuts into pieces of fewer than five characters only
 */
export declare function createSpelling(target: string, isEncoded: boolean): Spelling;
/** For a pattern. */
export declare function literally(text: string): string;
