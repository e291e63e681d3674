import type { StringTable } from '../scan/scan.ts';
/** WebAssembly: names of imports, exports and functions are names; a small data segment is a value of its own. */
export declare function readWasm(bytes: Buffer): StringTable;
