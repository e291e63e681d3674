import type { Source } from './source.ts';
import { type ZipEntry, type ZipProblem } from './zip-entry.ts';
/** A zip archive by its central directory, and what of the bytes no entry accounts for. */
export interface Zip {
    readonly entries: readonly ZipEntry[];
    /** Directory, local headers, padding, and anything hidden between, before and after: `[start, end)`. */
    readonly rest: readonly (readonly [start: number, end: number])[];
    readonly problems: readonly ZipProblem[];
}
/** `null` where the bytes hold no archive. Leading and trailing data are allowed; nothing is decompressed. */
export declare function readZip(source: Source): Zip | null;
