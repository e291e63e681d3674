/** A gzip file's contents as far as they can be read, and how many of its bytes they take up. */
export interface Members {
    readonly bytes: Buffer;
    readonly consumed: number;
}
/**
 * Reads member after member and stops at what is none, where zlib would refuse the whole. `null` where not even the
 * first can be read. @throws what zlib throws where the contents are over the bound
 */
export declare function readMembers(file: Buffer, bound: number): Members | null;
