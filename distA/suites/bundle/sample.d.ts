import type { Variant } from '../../src/check/check.ts';
/** A stack whose build artefact is one of the samples. */
export declare function sample(name: string): Variant;
