import type { Audit } from '../settings.ts';
import { type Extent } from './window.ts';
/** What the file is, as far as it matters to how its strings end. */
export interface Scanned {
    readonly location: string;
    readonly format: string;
    readonly bytes: Buffer;
    readonly isText: boolean;
    /** Where the bytes begin in the file. */
    readonly base?: number;
    /** Of a window of a file, the part that no other window reports: `[start, end)` in the bytes. */
    readonly core?: {
        readonly start: number;
        readonly end: number;
    };
    /** Strings by the format's own table, read where something was found: outside, bytes are read without a table. */
    readonly table?: () => StringTable | undefined;
}
export interface StringTable {
    readonly extents: readonly Extent[];
    readonly regions: readonly {
        readonly start: number;
        readonly end: number;
    }[];
}
/** Looks for every form in all of the bytes. @returns whether the table was asked for */
export declare function scan(audit: Audit, file: Scanned): boolean;
