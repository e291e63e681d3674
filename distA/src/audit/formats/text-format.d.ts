import type { StringTable } from '../scan/scan.ts';
export interface TextFormat {
    readonly name: string;
    readonly read?: (bytes: Buffer) => StringTable;
    readonly isCertain?: boolean;
}
/** What a text is, by its beginning, and by its name where that does not tell. */
export declare function textFormat(name: string, beginning: string): TextFormat;
