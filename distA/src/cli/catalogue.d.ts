import type { AnyCheck } from '../check/check.ts';
/** Every requirement, one per file of `suites/<role>/`, in the order of their ids. */
export declare function loadCatalogue(): Promise<AnyCheck[]>;
