import type { Decompressed } from './decompressed.ts';
/** The contents of a bzip2 file, at most `bound` bytes; of a file that is cut off, what came before. */
export declare function expandBzip2(bytes: Buffer, bound: number): Decompressed;
