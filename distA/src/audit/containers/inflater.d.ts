import type { Source } from './source.ts';
import type { ZipEntry } from './zip-entry.ts';
/** Inflates small entries one after the other without a new stream and new memory for each. */
export interface Inflater {
    /**
     * The contents of an entry, until the next one of the same depth is inflated. `null` where they are not exactly what
     * size and checksum say: then a closer look is needed.
     */
    inflate(archive: Source, entry: ZipEntry, depth: number): Buffer | null;
}
export declare function createInflater(): Inflater;
