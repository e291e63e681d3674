import type { StringTable } from '../scan/scan.ts';
/** `resources.arsc`: the global pool holds values, the pools inside a package hold names of types and keys. */
export declare function readArsc(bytes: Buffer): StringTable;
