import type { Transform } from 'node:stream';
/** A decompressor for what is too large to be unpacked at once; `null` where there is none for these first bytes. */
export declare function streamFor(name: string, head: Buffer): Transform | null;
/** What a file is that would have to be in memory whole to be unpacked, or cannot be opened at all; else `null`. */
export declare function unstreamable(name: string, head: Buffer): string | null;
/** What the contents of a compressed file are called. */
export declare function expandedName(name: string): string;
