import type { StringTable } from '../scan/scan.ts';
/** What a file is, by its first bytes; `read` gives its strings by its own table and throws where it does not parse. */
export interface Format {
    readonly name: string;
    readonly isText: boolean;
    readonly read?: (bytes: Buffer) => StringTable;
    /** Of a script: its name says so, and not only its looks. */
    readonly isCertain?: boolean;
}
/** Recognises a format by content; the name decides only among texts and messages, which have no mark. */
export declare function formatOf(name: string, bytes: Buffer): Format;
/** Whether the bytes are neither a text nor of any format that has a mark. */
export declare function isPlainBinary(name: string, bytes: Buffer): boolean;
