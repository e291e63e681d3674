import type { Inflater } from './containers/inflater.ts';
import type { Source } from './containers/source.ts';
import type { Ahead } from './containers/zip-pool.ts';
import type { JwtJudge } from './jwt.ts';
import type { Progress } from './progress.ts';
import type { Repeats } from './repeats.ts';
import type { Collector } from './report-to.ts';
import type { Searcher } from './scan/search.ts';
/** Bounds on what one path may cost; each breach is a gap. */
export interface Limits {
    /** Containers inside containers. */
    readonly depth: number;
    /** Largest file or entry in bytes that is held in memory whole: others are read from where they are, or in windows. */
    readonly wholeBytes: number;
    /** All that is held in memory of containers inside containers, in bytes. */
    readonly heldBytes: number;
    /** Bytes after decompression, of one path. */
    readonly totalBytes: number;
    readonly entries: number;
}
export declare const defaultLimits: Limits;
/** What every part of an audit shares. */
export interface Audit {
    readonly collector: Collector;
    readonly searcher: Searcher;
    readonly repeats: Repeats;
    readonly inflater: Inflater;
    readonly ahead: Ahead;
    readonly progress: Progress;
    readonly prefix: string;
    /** Characters that a key has after its prefix at least. */
    readonly leastSuffix: number;
    readonly escaped: RegExp;
    readonly mintHost: string | undefined;
    readonly jwts: JwtJudge;
    readonly limits: Limits;
    /** Counted while a path is read. */
    readonly spent: Spent;
}
export interface Spent {
    /** Innermost files, and their bytes. */
    entries: number;
    bytes: number;
    /** Files and entries of any kind, and their bytes after decompression. */
    opened: number;
    inflated: number;
    /** What `inflated` may come to for the file that is being read. */
    allowed: number;
}
/** One file, or one entry of a container, in memory. */
export interface Item {
    readonly location: string;
    /** The last part of its name, for formats that have no other mark. */
    readonly name: string;
    readonly bytes: Buffer;
    readonly depth: number;
}
/** The same, wherever its bytes are. */
export interface Sourced extends Omit<Item, 'bytes'> {
    readonly source: Source;
    /** Bytes of the containers around it that are in memory, and of itself. */
    readonly held: number;
}
