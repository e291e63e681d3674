import type { AnyCheck } from '../check/check.ts';
import type { Waiver } from '../configuration/configuration.ts';
/**
 * A waiver of a requirement that there is not would silently do nothing. Those of contracts are known only once the
 * pacts have been read.
 * @throws TwotokenError `configuration`, with the nearest ids
 */
export declare function assertKnown(waivers: readonly Waiver[], catalogue: readonly AnyCheck[]): void;
