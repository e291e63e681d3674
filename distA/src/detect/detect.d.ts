import type { Configuration } from '../configuration/configuration.ts';
import type { Exchange } from '../evidence/exchange.ts';
import type { Registered } from '../evidence/redact.ts';
import { type SessionOptions } from '../parts/session.ts';
import { type Bounds } from './budget.ts';
import type { Draft } from './draft.ts';
import { type FoundMint } from './mint.ts';
import { type FoundSignaling } from './signaling.ts';
/** What was found of one part, or why nothing was: a clause. */
export type Found<Part> = {
    readonly found: Part;
} | {
    readonly missing: string;
};
export interface Detection {
    readonly mint: Found<FoundMint>;
    readonly signaling: Found<FoundSignaling>;
    /** Seconds after its end for which a token is still accepted; null where it was not measured. */
    readonly leewaySeconds: number | null;
    readonly attempts: number;
    readonly mints: number;
    readonly exchanges: readonly Exchange[];
    readonly secrets: readonly Registered[];
}
export interface DetectOptions extends Pick<SessionOptions, 'clock' | 'doubleCertificate'> {
    readonly parts?: readonly ('mint' | 'signaling')[];
    readonly hints?: readonly Draft[];
    readonly bounds?: Partial<Bounds>;
    /** Waits for a token to expire in order to measure the leeway. */
    readonly wait?: boolean;
    readonly onProgress?: (what: string) => void;
    readonly signal?: AbortSignal;
}
/**
 * Finds out how an implementation does what the specification leaves open. The API key goes to the mint and nowhere
 * else; what is offered to signaling are tokens for made-up users, and garbage.
 * @throws TwotokenError where the configuration's own parts cannot be opened
 */
export declare function detect(configuration: Configuration, { parts, hints, bounds, wait, onProgress, signal, ...options }?: DetectOptions): Promise<Detection>;
