import type { Source } from './source.ts';
/** One file of a tar archive: its name and where its bytes are. Directories and links have none. */
export interface TarEntry {
    readonly name: Buffer;
    readonly start: number;
    readonly end: number;
}
export interface Tar {
    readonly entries: readonly TarEntry[];
    /** Headers, padding and what follows the end: `[start, end)`. */
    readonly rest: readonly (readonly [start: number, end: number])[];
    /** `false` where the archive is cut off. */
    readonly isWhole: boolean;
}
/** `true` where the first header's checksum holds. */
export declare function isTar(source: Source): boolean;
/** Reads ustar, GNU and pax archives. */
export declare function readTar(source: Source): Tar;
