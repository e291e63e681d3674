/** Bytes that can be read from any place: in memory, or in a file that is too large for it. */
export interface Source {
    readonly size: number;
    /** Of a source in memory, all of it. */
    readonly whole?: Buffer;
    /** Bytes from `start` to `end`, fewer where the source ends before. */
    read(start: number, end: number): Buffer;
    /** A part of it, without reading it. */
    part(start: number, end: number): Source;
}
export declare function inMemory(bytes: Buffer): Source;
/** A stretch of an open file. */
export declare function inFile(file: number, start: number, end: number): Source;
/** Fills a buffer from a place in a file. @returns what of it could be filled */
export declare function readInto(file: number, bytes: Buffer, position: number): Buffer;
