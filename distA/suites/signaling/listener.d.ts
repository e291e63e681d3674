import type { Stranger } from '../../src/tokens/forge-stranger.ts';
/** Where a service that fetches what a token's header names would turn to: it serves what would make it believe. */
export interface Listener extends AsyncDisposable {
    readonly jwksUrl: string;
    readonly certificateUrl: string;
    /** The paths that were asked for. */
    asked(): readonly string[];
}
export declare function startListener({ publicJwk, certificate, alg }: Stranger): Promise<Listener>;
