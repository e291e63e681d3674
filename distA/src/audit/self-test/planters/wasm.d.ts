import type { Planter } from '../planter.ts';
/** Strings of the data section are overwritten; another custom section may stand at the end of any module. */
export declare const webAssembly: Planter;
