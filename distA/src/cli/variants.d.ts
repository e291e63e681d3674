import type { Variant } from '../check/check.ts';
/** The name under which a broken variant of a requirement can be started. */
export declare function brokenVariantName(id: string, name: string): string;
/**
 * The variant of this name: `mint/a-conforming-one`, or `MINT-04/a-broken-one`.
 * @throws TwotokenError `usage`, with the nearest names
 */
export declare function variantNamed(name: string, variants: ReadonlyMap<string, Variant>): Variant;
/** Every variant that can be started, by name. */
export declare function loadNamedVariants(): Promise<ReadonlyMap<string, Variant>>;
