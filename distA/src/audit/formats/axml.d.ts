import type { StringTable } from '../scan/scan.ts';
/** Binary XML: a string of its pool is a value where an attribute or a text refers to it, and a name otherwise. */
export declare function readAxml(bytes: Buffer): StringTable;
