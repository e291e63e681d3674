import type { Scanned } from './scan.ts';
import type { Window } from './window.ts';
/** Where in its file an index of a window is. */
export declare function place(file: Scanned, window: Window, index: number): {
    line: number;
    location: string;
    format: string;
    offset: number;
} | {
    line?: never;
    location: string;
    format: string;
    offset: number;
};
/** Counted from 1. Places of one file mostly come in ascending order: what was counted is not counted again. */
export declare function lineOf(bytes: Buffer, offset: number): number;
