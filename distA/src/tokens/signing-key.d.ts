import { type CryptoKey } from 'jose';
import type { TokenConfiguration } from '../configuration/configuration.ts';
/** A key that a test deployment of signaling trusts (`token.signWith`). */
export interface SigningKey {
    readonly alg: string;
    readonly key: CryptoKey | Uint8Array;
}
/** Reads a PKCS#8 PEM or JWK file, or takes the shared secret. */
export declare function loadSigningKey(signWith: NonNullable<TokenConfiguration['signWith']>): Promise<SigningKey>;
