import type { Answer } from '../http/client.ts';
import type { ReadToken } from './decode.ts';
/**
 * How long a token that came with this answer lives, in seconds from its receipt, in the two ways that can be read
 * off it; `null` where it has no readable `exp`. A service may date `iat` back, or leave it out, and its clock may
 * differ from ours, so neither reading alone is the truth.
 */
export interface Lifetime {
    /** `exp` − `iat`. */
    readonly byClaims: number | null;
    /** `exp` − the server's `Date` header (this machine's clock where there is none). */
    readonly byClock: number | null;
}
export declare function lifetimeOf(token: ReadToken | null, answer: Answer, wallNow: number): Lifetime;
