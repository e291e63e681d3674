import { type Planter } from '../planter.ts';
export declare const elf: Planter;
export declare const machO: Planter;
/** The first page holds the schema, which has to stay as it is; rows are overwritten to the same length. */
export declare const sqlite: Planter;
/** What no other planter knows: bytes behind the end, which readers of most formats pass over. */
export declare const binary: Planter;
