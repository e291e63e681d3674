import type { Source } from './source.ts';
import { type ZipEntry } from './zip-entry.ts';
/** What looking for entries may still cost, for all of an archive. */
export interface Effort {
    bytes: number;
}
export declare function effortFor(size: number): Effort;
/** Local headers that no record of the directory points at, from one offset to another. */
export declare function hiddenEntries(source: Source, from: number, to: number, known: ReadonlySet<number>, effort: Effort): Generator<ZipEntry>;
