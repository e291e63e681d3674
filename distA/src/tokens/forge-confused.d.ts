import type { JWK } from 'jose';
import type { Forgery, Original } from './forge.ts';
/**
 * Tokens signed by HMAC with a published key as the shared secret, in every form in which a careless service may hold
 * that key. Empty for a key that is not public.
 */
export declare function confused({ header, payload, userId }: Original, jwk: JWK): Forgery[];
