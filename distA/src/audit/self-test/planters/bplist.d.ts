import { type Planter } from '../planter.ts';
/**
 * Values that are there become new strings, which stand behind the other objects: the offset table points at them.
 * A string with a character beyond ASCII is kept in UTF-16.
 */
export declare const binaryPropertyList: Planter;
