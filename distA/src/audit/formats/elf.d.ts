import type { StringTable } from '../scan/scan.ts';
/**
 * ELF: names of symbols and sections, and sections that say of themselves that they consist of strings. Other data,
 * `.rodata` among it, has no table: languages other than C pack their strings there without an end.
 */
export declare function readElf(bytes: Buffer): StringTable;
