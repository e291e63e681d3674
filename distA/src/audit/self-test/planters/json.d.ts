import { type Planter } from '../planter.ts';
/** Another source with its contents; the mappings do not speak of it, which the format allows. */
export declare const sourceMap: Planter;
export declare const json: Planter;
