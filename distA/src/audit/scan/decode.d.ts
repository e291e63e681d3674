/** A text that stood in another form in the file, and where in it the hit is. */
export interface Decoded {
    readonly text: string;
    /** Index in `text` of the prefix. */
    readonly at: number;
}
/** Base64 and base64url around an index; `phase` is the place of that character in its group of four. */
export declare function base64Around(text: string, at: number, phase: number): Decoded;
export declare function hexAround(text: string, at: number): Decoded;
export declare function reversedAround(text: string, at: number, prefix: string): Decoded;
/** Resolves percent, `\x`, `\u`, octal and entity escapes from an index on, as far as a key could reach. */
export declare function escapedFrom(text: string, at: number): Decoded;
export declare function unxored(bytes: Uint8Array, offset: number, key: number): string;
