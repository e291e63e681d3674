import type { Audit, Sourced } from '../settings.ts';
/** What a file of a size may become when everything in it is unpacked, so that no bomb costs more than its size is worth. */
export declare function allow(audit: Audit, size: number): void;
/** Counts what was unpacked. `false` once a bound is passed: the caller then reports the gap and stops. */
export declare function spend(audit: Audit, bytes: number): boolean;
/** Counts an entry of a container that is opened. `false`, and a gap, where no more may be. */
export declare function isOpened(audit: Audit, { location }: Pick<Sourced, 'location'>, size: number): boolean;
/** Counts a file that contains no other as read. */
export declare function countRead({ spent }: Audit, size: number): void;
export declare function isSpent({ spent, limits }: Audit): boolean;
/** How many bytes one entry may become: what its compressed size makes plausible, and never over the bound. */
export declare function entryBound({ spent }: Audit, compressed: number): number;
/** How large an entry may be that is read into memory beside what is there already. */
export declare function roomFor({ limits }: Audit, held: number): number;
