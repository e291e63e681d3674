import { type Planter } from '../planter.ts';
/**
 * Compiled resources of an app bundle: a message may be followed by more of its fields, which then belong to it as well.
 * A package (field 2) of one type with one entry, whose value is an item (7, 1, 4, 2, 2) with a string (2).
 */
export declare const resourceProtobuf: Planter;
/** XML of an app bundle: the root element (1) gets more attributes (4) with a name (2) and a value (3). */
export declare const xmlProtobuf: Planter;
