import type { Backend } from './backend.ts';
import type { Mint } from './mint.ts';
/** Where a check gets a fresh calling token that signaling should accept. */
export interface CallingTokens {
    /** A fresh token: for a user of its own from the mint, for alice from the backend. */
    fresh(): Promise<{
        readonly jwt: string;
        readonly userId: string;
        readonly exchange: string;
    }>;
}
export declare function tokensOfMint(mint: Mint, newUser: () => string): CallingTokens;
export declare function tokensOfBackend(backend: Backend): CallingTokens;
