import { type CryptoKey, type JWK } from 'jose';
import type { Forgery, Original } from './forge.ts';
import type { SigningKey } from './signing-key.ts';
/** Somebody whom no service has a reason to trust, with a key for the algorithm that the service uses. */
export interface Stranger {
    readonly alg: string;
    readonly privateKey: CryptoKey;
    readonly publicJwk: JWK;
    /** A certificate for the key by an authority that nobody knows: PEM, and the base64 of DER that `x5c` holds. */
    readonly certificate: string;
    readonly x5c: readonly string[];
}
/** ES256 where the service's own algorithm has no public key, or is not known. */
export declare function createStranger(serviceAlgorithm: unknown): Promise<Stranger>;
export type HeaderChange = Readonly<Record<string, unknown>>;
/** The original, signed by the stranger under a changed header; undefined takes a parameter away. */
export declare function signedByStranger(original: Original, stranger: Stranger, change: HeaderChange): Promise<string>;
/** What a stranger's signature alone can try: to pass under a key id that the service knows, does not know, or none. */
export declare function strange(original: Original, stranger: Stranger): Promise<Forgery[]>;
/** What one thing to change is: header parameters, the payload, or both; undefined takes a parameter away. */
export interface Change {
    readonly header?: HeaderChange;
    readonly payload?: Uint8Array;
}
/** The original with one thing changed, properly signed with a key that the service trusts. */
export declare function resigned(original: Original, key: SigningKey, { header, payload }: Change): Promise<string>;
