import type { Source } from './source.ts';
/** A file of an asar archive: its path and where its bytes are. */
export interface AsarEntry {
    readonly name: string;
    readonly start: number;
    readonly end: number;
}
export interface Asar {
    readonly entries: readonly AsarEntry[];
    /** The header and what no entry accounts for: `[start, end)`. */
    readonly rest: readonly (readonly [start: number, end: number])[];
    readonly isWhole: boolean;
}
/** `null` where the bytes are no asar archive. Unpacked files stand beside the archive and are not in it. */
export declare function readAsar(source: Source): Asar | null;
