import type { Audit } from '../settings.ts';
import type { Scanned } from './scan.ts';
import type { Window } from './window.ts';
export declare function reportJwt(audit: Audit, file: Scanned, window: Window): void;
/** Reports a JWT by what it is; what only looks like one is passed over. */
export declare function reportToken(audit: Audit, jwt: string, where: {
    location: string;
    format: string;
    offset: number;
    decoder: string;
    line?: number;
}): void;
export declare function reportMintCall(audit: Audit, file: Scanned, window: Window): void;
/** An error on the mint's host, a warning on another or an unknown one, a note without one. */
export declare function reportCall(audit: Audit, { url, target }: {
    url: string;
    target: 'mint' | 'other' | 'interpolated' | 'relative';
}, where: {
    location: string;
    format: string;
    offset: number;
    decoder: string;
    line?: number;
}): void;
