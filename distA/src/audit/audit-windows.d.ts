import type { Transform } from 'node:stream';
import { type Source } from './containers/source.ts';
import type { Audit, Sourced } from './settings.ts';
/** What is read in windows: a file by its name, or a part of a container whose format is known. */
export interface Windowed {
    readonly location: string;
    readonly name?: string;
    readonly format?: string;
}
/** Whether a file is read in windows although it could be held in memory. */
export declare function isForWindows(name: string, source: Source): boolean;
/** Scans a stretch of a source without reading all of it into memory. */
export declare function auditWindows(audit: Audit, place: Windowed, source: Source, start: number, end: number): void;
/** What of a container no entry accounts for. */
export declare function auditRest(audit: Audit, place: {
    readonly location: string;
    readonly format: string;
}, source: Source, start: number, end: number): void;
/** Scans what comes out of a decompressor, up to a bound. `crc` is what its checksum has to be, where that is known. */
export declare function auditStream(audit: Audit, { location, name, source }: Sourced, decompress: Transform, bound: number, crc?: number | null): Promise<void>;
