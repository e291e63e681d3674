import type { StringTable } from '../scan/scan.ts';
/**
 * Dalvik executable: every entry of `string_ids`. Those that name types, fields, methods, prototypes and source files
 * are names, unless the code also loads them as a constant.
 */
export declare function readDex(bytes: Buffer): StringTable;
