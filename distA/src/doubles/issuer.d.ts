import type { Mint } from '../parts/mint.ts';
import type { SigningKey } from '../tokens/signing-key.ts';
import type { DoubleIssuer } from './mint.ts';
/** Forwards to the real mint, so that the tokens work at the real signaling, in the shape that the real mint uses. */
export declare function forwardingIssuer(mint: Mint): DoubleIssuer;
/** Signs with the operator's test key, or with a key of its own when there is none. */
export declare function signingIssuer(given: SigningKey | null, wallNow: () => number): Promise<DoubleIssuer>;
