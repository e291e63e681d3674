import { type Planter } from '../planter.ts';
/**
 * `string_ids` must stay sorted, so a canary takes the place of one of the strings that it would stand between, and an
 * instruction or a static value is made to refer to it. Strings then differ in length: all their data are written anew
 * at the end of the file, and the map, the checksum and the signature after it.
 */
export declare const dex: Planter;
