import type { StringTable } from '../scan/scan.ts';
/**
 * Hermes bytecode, versions 84 to 99: strings are packed back to back and may overlap, so only the small string table
 * knows where one begins and ends. @throws RangeError for another version, or where the tables do not hold.
 */
export declare function readHermes(bytes: Buffer): StringTable;
