/**
 * Decompresses one LZ4 block that comes to so many bytes; `null` where it does not. A block does not say where it ends:
 * it ends when there is enough.
 */
export declare function expandLz4(block: Uint8Array, size: number): Buffer | null;
