import type { Party } from '../evidence/exchange.ts';
/** A request from one part to another, and its answer, whole: what a tap saw. It holds secrets. */
export interface Seen {
    /** Counts over all taps of a process. */
    readonly number: number;
    readonly from: Party;
    readonly to: Party;
    readonly method: string;
    /** Path and query. */
    readonly target: string;
    readonly requestHeaders: readonly (readonly [name: string, value: string])[];
    readonly requestBody: string;
    /** 0 where there was no answer. */
    readonly status: number;
    readonly responseHeaders: readonly (readonly [name: string, value: string])[];
    readonly responseBody: string;
}
export interface Tap extends AsyncDisposable {
    readonly port: number;
    /** Where it passes requests on to, and whom it trusts there in addition; until it is told, it answers 503. */
    aim(origin: string, ca?: readonly string[]): void;
    seen(): readonly Seen[];
}
/** Stands between two parts: passes every HTTP request on as it came, and remembers it. */
export declare function startTap({ from, to, host, }: {
    readonly from: Party;
    readonly to: Party;
    /** Where it listens, at any free port. */
    readonly host: string;
}): Promise<Tap>;
