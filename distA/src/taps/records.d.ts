import type { Journal } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { Seen, Tap } from './tap.ts';
/** What the taps saw, for the process that judges: the taps stand before it begins and after it has ended. */
export interface Records extends AsyncDisposable {
    /** On loopback, and known to nobody else: what is read there holds secrets. */
    readonly url: string;
}
export declare function serveRecords(taps: readonly Tap[]): Promise<Records>;
/** The conversations between parts that do not go through the suite's doubles. */
export interface Taps {
    /** All that was seen so far, with the exchange by which a finding refers to it. */
    seen(): Promise<readonly (Seen & {
        readonly exchange: string;
    })[]>;
}
export declare function createTaps(url: string, journal: Journal, redactor: Redactor): Taps;
