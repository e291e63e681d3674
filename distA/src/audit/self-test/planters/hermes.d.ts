import { type Planter } from '../planter.ts';
/**
 * A string value that is long enough is overwritten and its entry shortened: bytecode refers to strings by their
 * number, and to its own parts by offsets that must not move. The hash at the file's end is made anew.
 */
export declare const hermes: Planter;
