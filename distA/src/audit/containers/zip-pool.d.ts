import type { Source } from './source.ts';
import type { ZipEntry } from './zip-entry.ts';
import { type Inflated } from './zip-inflate.ts';
/** An entry, and what it holds; `null` where that is still to be found out. */
export type Done = readonly [entry: ZipEntry, read: Inflated | null];
export interface Pool {
    isIdle(): boolean;
    /** What is ready, without waiting. */
    finished(): Generator<Done>;
    /** What is ready next; `null` at the end. */
    next(): Promise<Done | null>;
}
/** Bytes that are inflated before anyone reads them, of all archives that are open. */
export interface Ahead {
    bytes: number;
}
/** Entries that are inflated on other threads, while the rest is read. */
export declare function isForPool(entry: ZipEntry, room: number): boolean;
export declare function createPool(source: Source, entries: readonly ZipEntry[], ahead: Ahead): Pool;
