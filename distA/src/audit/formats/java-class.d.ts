import type { StringTable } from '../scan/scan.ts';
/**
 * A class file: constants that the code, an initial value or an annotation uses are values; what names classes, members
 * and types is a name.
 */
export declare function readClass(bytes: Buffer): StringTable;
