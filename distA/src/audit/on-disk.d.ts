import type { Audit } from './settings.ts';
import { type FileOnDisk } from './walk.ts';
export type Reader = (file: number, size: number) => Buffer;
/** Reads one file after the other into the same memory, which costs less than new memory for each. */
export declare function createReader(): Reader;
export interface OnDisk {
    readonly read: Reader;
    /** Whether the user named this very file. */
    readonly isGiven?: boolean;
    /** Files that are left to somebody else, by their size, and then by what they hold. */
    readonly leaves?: (name: string, size: number, bytes: Buffer | null) => boolean;
}
/** @returns `false` where the file was left as it is */
export declare function auditOnDisk(audit: Audit, { path, location, name }: FileOnDisk, { read, isGiven, leaves }: OnDisk): Promise<boolean>;
