import type { Clock } from '../clock/clock.ts';
import type { Journal } from '../evidence/exchange.ts';
import type { Redactor } from '../evidence/redact.ts';
import { type SignalingEvent } from '../signaling/event-log.ts';
import type { Offer } from '../signaling/offer.ts';
import { type Budget } from './budget.ts';
/** What a service did with one offer, before anything is known of how it says yes or no. */
export interface Trace {
    readonly exchange: string;
    readonly events: readonly SignalingEvent[];
    /** How the connection ended while it was watched; null where it was still open. */
    readonly end: SignalingEvent | null;
    /** Frames that came after everything had been said, or before the end where nothing had to be said. */
    readonly frames: readonly string[];
    /** Milliseconds from the beginning to the last thing that happened. */
    readonly lastMs: number;
    /** The subprotocol that the service chose, where it was opened. */
    readonly protocol: string;
    readonly isReached: boolean;
    /** The token that was offered: what a service sends back of it says nothing. */
    readonly jwt: string;
}
interface Watch {
    readonly windowMs: number;
    readonly quietMs?: number;
    readonly jwt?: string | null;
}
export interface Prober {
    /** Offers, and watches for `windowMs` after all was said; with `quietMs` no longer than that after the last frame. */
    probe(offer: Offer, watch: Watch): Promise<Trace>;
}
export interface ProberOptions {
    readonly journal: Journal;
    readonly redactor: Redactor;
    readonly clock: Clock;
    readonly runStart: number;
    readonly ca?: readonly string[];
    readonly frameBytes: number;
    readonly budget: Budget;
}
/** Keeps to a limit on the rate: it waits, goes on one at a time, and gives up where that does not help. */
export declare function createProber(options: ProberOptions): Prober;
export {};
