import type { Source } from './source.ts';
/** Where the central directory of an archive is, as the record at its end says. */
export interface Directory {
    readonly start: number;
    readonly end: number;
    /** What has to be added to the offsets in the directory: the length of leading data. */
    readonly delta: number;
    readonly count: number;
}
/** `null` where no record at the end points at a directory. */
export declare function findDirectory(source: Source): Directory | null;
