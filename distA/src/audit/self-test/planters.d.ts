import type { Planter } from './planter.ts';
/** The first that recognises a file takes it; the last two take what is left. */
export declare const planters: readonly Planter[];
