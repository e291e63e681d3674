import type { Forgery, Original } from './forge.ts';
import { type Stranger } from './forge-stranger.ts';
/** Where the suite listens for a service that fetches what a header names. */
export interface Bait {
    /** A key set that holds the stranger's key. */
    readonly jwksUrl: string;
    /** The stranger's certificate. */
    readonly certificateUrl: string;
}
/** Tokens whose header brings along the key, or names the place, that a careless service verifies them with. */
export declare function withKeyInHeader(original: Original, stranger: Stranger, bait: Bait): Promise<Forgery[]>;
export declare function withKeyId({ header, payload, userId }: Original): Forgery[];
