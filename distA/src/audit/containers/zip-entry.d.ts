import type { GapKind } from '../finding.ts';
import type { Source } from './source.ts';
export interface ZipEntry {
    readonly name: Buffer;
    readonly method: number;
    readonly isEncrypted: boolean;
    readonly crc: number | null;
    /** As the directory says; `null` where nothing says it. */
    readonly size: number | null;
    readonly headerStart: number;
    readonly dataStart: number;
    readonly dataEnd: number;
    /** What the local header says differently. */
    readonly disagreement?: string;
}
export interface ZipProblem {
    readonly kind: GapKind;
    readonly reason: string;
    readonly isMissing?: boolean;
}
/** The entries, one or two, that a record of the directory describes: a second one where the local header differs. */
export interface CentralEntry {
    readonly entries: readonly ZipEntry[];
    readonly next: number;
    readonly problem?: ZipProblem;
}
/** Reads the record at an index of the directory, and the local header that it points at. */
export declare function readCentralEntry(source: Source, directory: Buffer, at: number, delta: number): CentralEntry;
/** An entry by its local header alone; it reaches to `limit` where its size is not stated. */
export declare function localEntryAt(source: Source, at: number, limit: number): ZipEntry | null;
