import type { View } from './needles.ts';
/** A piece of text around a hit, one character for each byte or UTF-16 unit of the file. */
export interface Window {
    readonly text: string;
    /** Index in `text` of the hit. */
    readonly at: number;
    readonly offsetOf: (index: number) => number;
    /** From a string table: the text begins and ends where the string does. */
    readonly isExact: boolean;
    /** The hit reaches from one string of a table into the next: it is a string of nobody. */
    readonly isTorn?: boolean;
    readonly role: 'value' | 'name';
    readonly decoder: string;
}
/** A string as a format's own table describes it. */
export interface Extent {
    readonly start: number;
    readonly end: number;
    readonly view: View;
    readonly role: 'value' | 'name';
}
/** What surrounds a hit in bytes without a string table. */
export declare function rawWindow(bytes: Buffer, offset: number, view: View): Window;
/** The string that a table says contains the hit; of a very long one, what surrounds the hit. */
export declare function exactWindow(bytes: Buffer, extent: Extent, offset: number): Window;
/** Bytes of a character. */
export declare function unitOf(view: View): 1 | 2;
export declare function textOf(bytes: Buffer, view: View): string;
