import { type Planter } from '../planter.ts';
/** The global pool holds the values of all resources. */
export declare const resourceTable: Planter;
/** Attributes that are there get the new strings as their values. */
export declare const binaryXml: Planter;
