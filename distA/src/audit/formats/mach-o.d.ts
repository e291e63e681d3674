import type { StringTable } from '../scan/scan.ts';
/**
 * Mach-O, thin in either byte order or fat: C strings and constant strings of Foundation (which point at them) are
 * values, names of Objective-C and Swift and the symbol table are names. Other sections have no table.
 */
export declare function readMachO(bytes: Buffer): StringTable;
