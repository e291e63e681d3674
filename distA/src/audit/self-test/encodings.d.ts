/** A way to write a key down, as the bytes that are then put where a format keeps a string. */
export interface Encoding {
    readonly name: string;
    encode(key: string): Buffer;
}
export declare const plain: Encoding;
/** Written with ASCII characters alone, so that any string of any format can hold them. */
export declare const textEncodings: readonly Encoding[];
export declare const utf16le: Encoding;
/** For places that hold any bytes. */
export declare const byteEncodings: readonly Encoding[];
export declare const characterReferences: Encoding;
export declare const unicodeEscapes: Encoding;
export declare const hexEscapes: Encoding;
