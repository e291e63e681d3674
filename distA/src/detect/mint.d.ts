import type { HttpClient } from '../http/client.ts';
import type { Mint } from '../parts/mint.ts';
import { type Budget } from './budget.ts';
/** What a mint does where the specification is silent. */
export interface FoundMint {
    /** Where in the body the token stands, as `token.field` would say it. */
    readonly field: string;
    /** The media type and the keys of a success. */
    readonly success: string;
    readonly format: 'JWS' | 'JWE' | 'opaque';
    readonly algorithm: string | null;
    /** Claims that hold the userId, for two users alike. */
    readonly userIdClaims: readonly string[];
    /** Seconds; null where they cannot be read off the token. */
    readonly defaultTtlSeconds: number | null;
    readonly ttl: readonly {
        readonly asked: number;
        readonly granted: number | null | 'refused';
    }[];
    /** The shortest lifetime granted, where a shorter one was asked for; null: none seen. */
    readonly floorSeconds: number | null;
    readonly ceilingSeconds: number | null;
    readonly errors: readonly {
        readonly what: string;
        readonly shape: string;
    }[];
    /** An address at which the public key of the tokens is published. */
    readonly jwks: string | null;
    readonly evidence: readonly string[];
}
export interface MintSearch {
    readonly mint: Mint;
    readonly http: HttpClient;
    readonly budget: Budget;
    newUser(): string;
}
/**
 * A dozen ordinary requests, and three that must be refused.
 * @throws GivenUp where no token can be got
 */
export declare function detectMint(search: MintSearch): Promise<FoundMint>;
