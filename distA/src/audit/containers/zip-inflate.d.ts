import type { ZipEntry, ZipProblem } from './zip-entry.ts';
export type Inflated = {
    readonly bytes: Buffer;
    readonly problem?: ZipProblem;
    /** How many of the compressed bytes that took: what follows is something else. */
    readonly consumed?: number;
} | {
    readonly bytes: null;
    readonly problem: ZipProblem;
};
/**
 * The contents of an entry, at most `bound` bytes. Android installs archives whose headers lie about method and
 * encryption: what does not read as stated is tried as stored and as deflated, and the checksum decides.
 */
export declare function inflateEntry(data: Buffer, entry: ZipEntry, bound: number): Inflated;
/** The same on another thread, for an entry that is deflated and large; `null` where it has to be looked at closer. */
export declare function inflateAside(data: Buffer, entry: ZipEntry, size: number): Promise<Inflated | null>;
export declare function canInflateAside({ method, isEncrypted, size, crc }: ZipEntry): boolean;
