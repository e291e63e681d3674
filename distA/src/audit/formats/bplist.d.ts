import type { StringTable } from '../scan/scan.ts';
/** Binary property list: ASCII and UTF-16BE objects; a string that only dictionaries use as a key is a name. */
export declare function readBplist(bytes: Buffer): StringTable;
