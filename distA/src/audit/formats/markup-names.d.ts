import type { StringTable } from '../scan/scan.ts';
/** XML and XML property lists: what is a key, a name or an id. Other text has no table. */
export declare function readMarkup(bytes: Buffer): StringTable;
/** JSON: the names of members. */
export declare function readJson(bytes: Buffer): StringTable;
/** Localised texts of Apple's platforms: what stands before `=`. */
export declare function readStrings(bytes: Buffer): StringTable;
