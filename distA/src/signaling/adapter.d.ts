import type { Clock } from '../clock/clock.ts';
import type { Journal } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { Signaling } from './attempt.ts';
export interface AdapterOptions {
    readonly url: string;
    /** Absolute. */
    readonly modulePath: string;
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    /** How long `connect` may take until its signal aborts. */
    readonly timeoutMs: number;
    /** The monotonic instant that recorded times count from; now where absent. */
    readonly runStart?: number;
}
/**
 * A client for signaling that an adapter joins. Rejects with a TwotokenError where the module cannot be used, and so
 * does each attempt in which the adapter fails.
 */
export declare function createAdapterSignaling(options: AdapterOptions): Promise<Signaling>;
