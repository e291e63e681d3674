import type { Decompressed } from './decompressed.ts';
/** For the worker: what to read, and where to say that it is done. */
export interface XzTask {
    readonly streams: readonly Uint8Array[];
    readonly bound: number;
    readonly done: Int32Array;
    readonly port: import('node:worker_threads').MessagePort;
}
/**
 * The contents of an xz file, at most `bound` bytes. Its library works asynchronously, so that it runs in a thread of
 * its own for which this one waits: a rare format should not make the whole audit asynchronous.
 */
export declare function expandXz(bytes: Buffer, bound: number): Decompressed;
